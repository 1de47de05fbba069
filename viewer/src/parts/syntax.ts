/* Source text as tokens, line by line.  Prism finds them; the page makes text nodes of them, never markup. */
import "./prism_global";
import Prism from "prismjs/components/prism-core";
import "prismjs/components/prism-clike";
import "prismjs/components/prism-c";
import "prismjs/components/prism-cpp";
import "prismjs/components/prism-d";
import "prismjs/components/prism-rust";
import "prismjs/components/prism-fortran";
import "prismjs/components/prism-ada";

export interface Piece {
  kind: string; /* class of the style sheet; "": plain */
  text: string;
}

const LANGUAGES: [RegExp, string][] = [
  [/\.(c|h|m|y|l)$/, "c"],
  [/\.(cc|cpp|cxx|c\+\+|C|hh|hpp|hxx|inl|ipp|tcc|cu|cuh|mm)$/, "cpp"],
  [/\.(f|f\d\d|for|ftn|F|F\d\d)$/, "fortran"],
  [/\.rs$/, "rust"],
  [/\.d$/, "d"],
  [/\.(adb|ads)$/, "ada"],
];
const MOST_LETTERS = 1500000; /* beyond, a file is shown plain */

type Token = string | { type: string; content: Token | Token[] };

function grammarOf(path: string): unknown {
  const name = LANGUAGES.find(([pattern]) => pattern.test(path))?.[1] ?? (/\/c\+\+\//.test(path) ? "cpp" : "");
  return name ? Prism.languages[name] : undefined;
}

/* The lines of a text. */
export function linesOf(path: string, text: string): Piece[][] {
  const grammar = text.length < MOST_LETTERS ? grammarOf(path) : undefined;
  const tokens: Token[] = grammar ? (Prism.tokenize(text, grammar) as Token[]) : [text];
  const lines: Piece[][] = [[]];
  const add = (token: Token | Token[], kind: string): void => {
    if (Array.isArray(token)) for (const one of token) add(one, kind);
    else if (typeof token !== "string") add(token.content, token.type);
    else
      token.split(/\r?\n/).forEach((part, i) => {
        if (i) lines.push([]);
        if (part) lines[lines.length - 1].push({ kind, text: part });
      });
  };
  add(tokens, "");
  if (lines.length > 1 && lines[lines.length - 1].length === 0) lines.pop();
  return lines;
}
