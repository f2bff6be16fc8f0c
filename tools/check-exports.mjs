// Reports every export that no other file uses: `node tools/check-exports.mjs [root]`. Such a value needs no `export`, or
// is not needed. A type is reported only if no file names it, not even its own, because exported functions use types.
// Classes of use cases and decorated classes are used by Nest without an import. No two types of apps, libs and
// projections may have the same name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript';
import { house, resolveImport } from './source-imports.mjs';
import { sourceFiles } from './tree-files.mjs';

const { SyntaxKind } = typescript;
const root = process.argv[2] ?? house;
const files = sourceFiles(root);
/** `file name` of everything that another file imports. */
const used = new Set();
/** Files that are imported as a whole: everything in them is used. */
const usedWhole = new Set();
const exported = [];
/** The files that export a type, by its name. */
const typeFiles = new Map();
for (const file of files) {
  const source = parse(file);
  noteImports(file, source);
  // Tools are programs: their exports are for other tools and for callers by name.
  if (file.startsWith('tools/')) continue;
  for (const statement of source.statements) noteExports(file, source, statement);
}

const shared = [...typeFiles].filter(([, named]) => named.size > 1);
for (const [name, named] of shared)
  console.error(`${name} is the name of several types: ${[...named].join(', ')}`);

const unused = exported.filter(
  ({ file, name, isMet }) => !isMet && !usedWhole.has(file) && !used.has(`${file} ${name}`),
);
for (const { file, name } of unused) console.error(`${file} exports ${name}, which no other file uses`);
if (exported.length === 0) console.error('no export was found: this check guards nothing');
console.log(
  `${exported.length} exports in ${files.length} files, ${unused.length} without use, ` +
    `${typeFiles.size} names of types, ${shared.length} of several`,
);
process.exitCode = unused.length === 0 && shared.length === 0 && exported.length > 0 ? 0 : 1;

/** The source file of an import; tools import compiled files. */
function importedFile(file, specifier) {
  return resolveImport(file, specifier).path.replace(/^dist\//, '');
}

function parse(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
}

function noteImports(file, node) {
  const target = (specifier) => importedFile(file, specifier.text);
  if (typescript.isImportDeclaration(node) && node.importClause !== undefined) {
    const { name, namedBindings } = node.importClause;
    if (name !== undefined) used.add(`${target(node.moduleSpecifier)} default`);
    if (namedBindings !== undefined) noteNames(target(node.moduleSpecifier), namedBindings);
  }
  if (typescript.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    noteNames(target(node.moduleSpecifier), node.exportClause);
  }
  if (typescript.isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments;
    if (specifier !== undefined && typescript.isStringLiteralLike(specifier))
      usedWhole.add(target(specifier));
  }
  if (typescript.isImportTypeNode(node) && typescript.isLiteralTypeNode(node.argument)) {
    usedWhole.add(target(node.argument.literal));
  }
  typescript.forEachChild(node, (child) => noteImports(file, child));
}

/** The names in braces; `* as` and `export *` name everything. */
function noteNames(target, clause) {
  if (clause === undefined || clause.elements === undefined) usedWhole.add(target);
  else
    for (const { propertyName, name } of clause.elements)
      used.add(`${target} ${(propertyName ?? name).text}`);
}

function noteExports(file, source, statement) {
  const modifiers = typescript.canHaveModifiers(statement) ? (typescript.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === SyntaxKind.ExportKeyword)) return;
  const isType = typescript.isTypeAliasDeclaration(statement) || typescript.isInterfaceDeclaration(statement);
  for (const name of namesOf(statement)) {
    const isMet = isMetByNest(file, statement) || (isType && isNamedAgain(source, name));
    exported.push({ file, name, isMet });
    if ((isType || typescript.isClassDeclaration(statement)) && !isForTests(file))
      typeFiles.set(name, (typeFiles.get(name) ?? new Set()).add(file));
  }
}

function isForTests(file) {
  return file.startsWith('test/') || file.endsWith('.spec.ts');
}

function namesOf(statement) {
  if (!typescript.isVariableStatement(statement))
    return statement.name === undefined ? [] : [statement.name.text];
  return statement.declarationList.declarations.flatMap(({ name }) =>
    typescript.isIdentifier(name) ? [name.text] : name.elements.map((element) => element.name.text),
  );
}

function isMetByNest(file, statement) {
  if (!typescript.isClassDeclaration(statement)) return false;
  return /\.(command|query)\.ts$/.test(file) || (typescript.getDecorators(statement) ?? []).length > 0;
}

/** Whether a file contains a name more often than its declaration. */
function isNamedAgain(source, name) {
  return (source.text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
}
