-- work.lua SIZE [straight] - calls, strings, tables, closures and coroutines, as lua programs have them; prints what came
-- out.  straight: without coroutines and errors, which some other profilers don't survive.
local size = tonumber(arg and arg[1]) or 1
local straight = arg and arg[2] == "straight"

local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end

local function words(count)
  local seen, total = {}, 0
  for i = 1, count do
    local word = string.format("%x-%d", i * 7919 % 4093, i % 13)
    local key = word:gsub("%d", "n"):upper()
    seen[key] = (seen[key] or 0) + #word
    total = total + #key
  end
  local keys = {}
  for key in pairs(seen) do keys[#keys + 1] = key end
  table.sort(keys)
  return #keys, total, keys[1]
end

local Point = {}
Point.__index = Point
Point.__add = function(a, b) return setmetatable({x = a.x + b.x, y = a.y + b.y}, Point) end

local function points(count)
  local sum = setmetatable({x = 0, y = 0}, Point)
  for i = 1, count do
    sum = sum + setmetatable({x = i, y = -i}, Point)
  end
  return sum.x, sum.y
end

local function generate(count)
  local co = coroutine.wrap(function()
    for i = 1, count do coroutine.yield(i * i % 1009) end
  end)
  local total = 0
  for _ = 1, count do total = total + co() end
  return total
end

local function failures(count)
  local caught = 0
  for i = 1, count do
    local ok = pcall(function() if i % 3 == 0 then error("third") end return i end)
    if not ok then caught = caught + 1 end
  end
  return caught
end

for _ = 1, size do
  print(fib(18), words(2000))
  print(points(5000))
  if not straight then print(generate(3000), failures(1000)) end
end
