import { counted } from '#kernel/values/counted.js';
import { namesIn, nearestName, unknownNames, type OnUnknown } from '#kernel/values/known-names.js';
import type { LineMessage } from './line-faults.js';
import { observationLines } from './observation-lines.js';

/** A member of a line that its kind does not have. */
export type UnknownMember = { readonly kind: string; readonly path: string };

type Kind = {
  readonly walk: (line: unknown, onUnknown: OnUnknown) => void;
  readonly names: ReadonlySet<string>;
};

const schemas = new Map<string, object>(Object.entries(observationLines));
const kinds = new Map<string, Kind>();

function kindOf(name: string): Kind | null {
  const known = kinds.get(name);
  const schema = schemas.get(name);
  if (known !== undefined || schema === undefined) return known ?? null;
  const plain = JSON.parse(JSON.stringify(schema));
  const kind = { walk: unknownNames(plain), names: namesIn(plain) };
  kinds.set(name, kind);
  return kind;
}

/** The members of a line that its kind does not have; places in lists are left out of a path (`locations.town`). */
export function unknownMembersOf(line: unknown): readonly UnknownMember[] {
  if (typeof line !== 'object' || line === null) return [];
  const name: unknown = Reflect.get(line, 'kind');
  const kind = typeof name === 'string' ? kindOf(name) : null;
  if (typeof name !== 'string' || kind === null) return [];
  const paths = new Set<string>();
  kind.walk(line, (path) => paths.add(path.replace(/\.\d+(?=\.)/g, '').slice(0, LONGEST_PATH)));
  return [...paths].map((path) => ({ kind: name, path }));
}

/** The message about such a member, with the probable one. */
export function unknownMemberMessage({ kind, path }: UnknownMember): string {
  const nearest = nearestName(path, kindOf(kind)?.names ?? []);
  const meant = nearest === null ? '' : ` (${nearest}?)`;
  return `${path} is not a member of a ${kind}${meant}`;
}

const LONGEST_PATH = 100;
/** More different ones are no misspellings. */
const MOST_DIFFERENT = 1_000;

/** Counts unknown members over all lines: one message a member, at its first line. */
export function unknownMemberCounts() {
  const counts = new Map<string, { readonly member: UnknownMember; readonly line: number; lines: number }>();
  return {
    add(members: readonly UnknownMember[], line: number): void {
      for (const member of members) {
        const key = `${member.kind} ${member.path}`;
        const known = counts.get(key);
        if (known !== undefined) known.lines += 1;
        else if (counts.size < MOST_DIFFERENT) counts.set(key, { member, line, lines: 1 });
      }
    },
    messages: (): readonly LineMessage[] =>
      [...counts.values()].map(({ member, line, lines }) => ({
        line,
        message: `${unknownMemberMessage(member)} and is ignored, in ${counted(lines, 'line')}`,
      })),
  };
}
