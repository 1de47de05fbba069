declare module "prismjs/components/prism-core" {
  const Prism: { languages: Record<string, unknown>; tokenize(text: string, grammar: unknown): unknown[] };
  export default Prism;
}
declare module "prismjs/components/prism-*";
declare module "*.css";
declare class DecompressionStream implements GenericTransformStream {
  constructor(format: "gzip");
  readonly readable: ReadableStream;
  readonly writable: WritableStream;
}
