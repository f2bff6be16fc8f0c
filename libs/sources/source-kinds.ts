import { boardSource } from './board-kind.js';
import { ashby } from './kinds/ashby.js';
import { csv } from './kinds/csv.js';
import { feed } from './kinds/feed.js';
import { formD } from './kinds/form-d.js';
import { greenhouse } from './kinds/greenhouse.js';
import { jsonld } from './kinds/jsonld.js';
import { lever } from './kinds/lever.js';
import { personio } from './kinds/personio.js';
import { recruitee } from './kinds/recruitee.js';
import { teamtailor } from './kinds/teamtailor.js';
import type { SourceKind } from './source-kind.js';

/** All kinds of sources, one line each. An address is matched in this order. */
export const sourceKinds: readonly SourceKind[] = [
  boardSource(greenhouse),
  boardSource(lever),
  boardSource(ashby),
  boardSource(teamtailor),
  boardSource(recruitee),
  boardSource(personio),
  formD,
  jsonld,
  feed,
  csv,
];

/** Null for a kind that this version does not have. */
export function kindOf(name: string): SourceKind | null {
  return sourceKinds.find((kind) => kind.name === name) ?? null;
}

/** The kind that an address determines by itself, with the provider's id; null if there is none. */
export function kindAt(address: URL): { readonly kind: SourceKind; readonly boardId: string } | null {
  for (const kind of sourceKinds) {
    const boardId = kind.boardAt(address);
    if (boardId !== null) return { kind, boardId };
  }
  return null;
}
