# words.awk - counts words and their neighbours, and prints the most frequent ones: work for gawk.
{
  for (i = 1; i <= NF; i++) {
    word = tolower($i)
    gsub(/[^a-z]/, "", word)
    count[word]++
    length_of[length(word)] += 1
    if (i > 1)
      pairs[last " " substr(word, 1, 2)]++
    last = substr(word, 1, 2)
  }
}

function more(a, va, b, vb) {
  return vb - va
}

END {
  n = asorti(count, order, "more")
  for (i = 1; i <= 20 && i <= n; i++)
    printf "%s %d\n", order[i], count[order[i]]
  for (pair in pairs)
    if (match(pair, /^(a|e)[a-z]? [^aeiou]/))
      sum += pairs[pair] * sqrt(length(pair))
  printf "%d words, %.2f\n", n, sum
}
