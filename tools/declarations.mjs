import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { house } from './source-imports.mjs';

const KEPT = join(house, '.cache/declarations.json');
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
          hasWrittenResult(typescript, node) ? withoutBody(context, node) : node,
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

function withoutBody({ factory }, node) {
  const typescript = require('typescript');
  const { modifiers, asteriskToken, name, questionToken, typeParameters, parameters, type } = node;
  const body = factory.createBlock([]);
  if (typescript.isFunctionDeclaration(node))
    return factory.updateFunctionDeclaration(
      node,
      modifiers,
      asteriskToken,
      name,
      typeParameters,
      parameters,
      type,
      body,
    );
  if (typescript.isFunctionExpression(node))
    return factory.updateFunctionExpression(
      node,
      modifiers,
      asteriskToken,
      name,
      typeParameters,
      parameters,
      type,
      body,
    );
  if (typescript.isArrowFunction(node))
    return factory.updateArrowFunction(
      node,
      modifiers,
      typeParameters,
      parameters,
      type,
      node.equalsGreaterThanToken,
      body,
    );
  if (typescript.isGetAccessorDeclaration(node))
    return factory.updateGetAccessorDeclaration(node, modifiers, name, parameters, type, body);
  return factory.updateMethodDeclaration(
    node,
    modifiers,
    asteriskToken,
    name,
    questionToken,
    typeParameters,
    parameters,
    type,
    body,
  );
}

/**
 * Digests of the declarations of files. `.cache/declarations.json` stores them with the digest of the text that they
 * were computed from. `of` takes a file and its text, `write` stores the digests that `of` returned.
 */
export function keptDeclarations() {
  const kept = read();
  const asked = {};
  return {
    of(file, text) {
      const textDigest = digest(text);
      const known =
        kept[file]?.[0] === textDigest ? kept[file] : [textDigest, digest(declarationsIn(text, file))];
      asked[file] = known;
      return known[1];
    },
    write() {
      mkdirSync(dirname(KEPT), { recursive: true });
      writeFileSync(KEPT, JSON.stringify({ ...kept, ...asked }));
    },
  };
}

function read() {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8'));
  } catch {
    return {};
  }
}

const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);
