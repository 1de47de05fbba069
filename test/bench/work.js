// work.js ROUNDS - sorts, matches, parses and walks objects: work for mujs.
function Node(key) {
  this.key = key;
  this.left = this.right = null;
}

function insert(node, key) {
  if (node === null)
    return new Node(key);
  if (key < node.key)
    node.left = insert(node.left, key);
  else
    node.right = insert(node.right, key);
  return node;
}

function depth(node) {
  return node === null ? 0 : 1 + Math.max(depth(node.left), depth(node.right));
}

function random(state) {
  state.value = (state.value * 16807) % 2147483647;
  return state.value;
}

function words(state, count) {
  var list = [];
  for (var i = 0; i < count; i++)
    list.push("w" + (random(state) % 900).toString(36));
  return list;
}

function round(state) {
  var levels = 0, counts = {}, text = words(state, 6000), matched = 0;
  for (var trees = 0; trees < 12; trees++) { // small ones: mujs has a short stack
    var tree = null;
    for (var i = 0; i < 500; i++)
      tree = insert(tree, random(state) % 100000);
    levels += depth(tree);
  }
  for (i = 0; i < text.length; i++)
    counts[text[i]] = (counts[text[i]] || 0) + 1;
  var keys = Object.keys(counts).sort(function (a, b) { return counts[b] - counts[a] || (a < b ? -1 : 1); });
  for (i = 0; i < keys.length; i++)
    if (/^w[a-m]+[0-9]*$/.test(keys[i]))
      matched++;
  var copy = JSON.parse(JSON.stringify(counts));
  return levels + matched + keys.length + (copy[keys[0]] || 0);
}

var state = {value: 42}, sum = 0;
for (var r = 0; r < Number(scriptArgs[0]) * 4; r++)
  sum += round(state);
print(sum);
