import { createRequire } from 'node:module';
import { digest, readKept, writeKept } from './kept-file.mjs';

const KEPT = 'declarations.json';
const require = createRequire(import.meta.url);

/**
 * The part of a TypeScript file that can affect the types of its importers: its text without comments, and without
 * the bodies of functions with an explicit result type. Inferred types depend on the remaining text.
 */
export function declarationsIn(text, file) {
  // Loaded only if a file has changed, because loading takes half a second.
  const typescript = require('typescript');
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
  const { transformed } = typescript.transform(source, [
    (context) => (root) => {
      const visit = (node) =>
        typescript.visitEachChild(
          hasWrittenResult(typescript, node) ? withoutBody(typescript, context, node) : node,
          visit,
          context,
        );
      return typescript.visitNode(root, visit);
    },
  ]);
  return typescript.createPrinter({ removeComments: true }).printFile(transformed[0]);
}

function hasWrittenResult(typescript, node) {
  const isFunction =
    typescript.isFunctionDeclaration(node) ||
    typescript.isFunctionExpression(node) ||
    typescript.isArrowFunction(node) ||
    typescript.isMethodDeclaration(node) ||
    typescript.isGetAccessorDeclaration(node);
  return isFunction && node.type !== undefined && node.body !== undefined;
}

function withoutBody(typescript, context, node) {
  const body = context.factory.createBlock([]);
  return typescript.visitEachChild(node, (child) => (child === node.body ? body : child), context);
}

/**
 * Digests of the declarations of files. `.cache/declarations.json` stores them with the digest of the text that they
 * were computed from. `of` takes a file and its text, `write` stores the digests that `of` returned.
 */
export function keptDeclarations() {
  const kept = readKept(KEPT);
  const asked = {};
  return {
    of(file, text) {
      const textDigest = digest([text]);
      const known =
        kept[file]?.[0] === textDigest ? kept[file] : [textDigest, digest([declarationsIn(text, file)])];
      asked[file] = known;
      return known[1];
    },
    write: () => writeKept(KEPT, { ...kept, ...asked }),
  };
}
