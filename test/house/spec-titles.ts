import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { houseRoot } from './house.js';

/** Of a title, at least this share is fixed text: a template such as `${name}: ${outcome}` would match any title. */
const MIN_FIXED_SHARE = 0.5;
type Pattern = { readonly fixedLength: number; readonly text: RegExp };
/** The values that `it.each` fills in. */
const FILLED_IN = /%[sidfjop]|\$\w+/;

/**
 * Whether a spec, or a test file that it imports, contains a text that makes this title. A value in a template matches
 * any text.
 */
export function hasTitle(spec: string, title: string): boolean {
  const isFixed = ({ fixedLength }: Pattern): boolean => fixedLength >= title.length * MIN_FIXED_SHARE;
  return filesOf(spec).some((file) =>
    read(file).patterns.some((pattern) => isFixed(pattern) && pattern.text.test(title)),
  );
}

const known = new Map<
  string,
  { readonly patterns: readonly Pattern[]; readonly imports: readonly string[] }
>();

/** A spec and the test files that it imports, directly or not. */
function filesOf(spec: string): readonly string[] {
  const found = new Set([spec]);
  for (const file of found) for (const imported of read(file).imports) found.add(imported);
  return [...found];
}

function read(file: string) {
  const before = known.get(file);
  if (before !== undefined) return before;
  const source = ts.createSourceFile(
    file,
    readFileSync(join(houseRoot, file), 'utf8'),
    ts.ScriptTarget.Latest,
    false,
  );
  const patterns: Pattern[] = [];
  const add = (parts: readonly string[]): void => {
    const fixed = parts.flatMap((part) => part.split(FILLED_IN));
    patterns.push({
      fixedLength: fixed.join('').length,
      text: new RegExp(`^${fixed.map(escaped).join('.*')}$`, 's'),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) add([node.text]);
    else if (ts.isTemplateExpression(node))
      add([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const imports = source.statements.flatMap((statement) =>
    ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)
      ? testFile(file, statement.moduleSpecifier.text)
      : [],
  );
  const found = { patterns, imports };
  known.set(file, found);
  return found;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The file of an import if it is one of the tests. */
function testFile(from: string, specifier: string): readonly string[] {
  if (!specifier.startsWith('.') && !specifier.startsWith('#test/')) return [];
  const path = specifier.startsWith('.')
    ? join(from, '..', specifier)
    : specifier.replace(/^#test\//, 'test/');
  const file = path.replace(/\.js$/, '.ts');
  const isTest = file.startsWith('test/') || file.includes('/testing/');
  return isTest && existsSync(join(houseRoot, file)) ? [file] : [];
}
