import { capitalized } from '#kernel/values/capitalized.js';
import { contextOfStep, type CommandContext } from '#kernel/commands/decider.js';
import { refusal } from '#kernel/values/refusal.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { sources, type SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { beforeAdding } from '../added-again.js';
import { addSource, removeSource, source as sourceStream } from '../domain/source.js';
import { kindOf } from '../source-kinds.js';
import { findSubject } from '../source-subject.js';
import { sourcesAt } from '../sources-at.js';
import type { NewSource } from './new-source.js';

const boardExists = refusal({
  code: 'source-exists',
  kind: 'conflicting',
  detail: 'This board or feed is a source already.',
});

const secondPostings = refusal({
  code: 'company-has-postings',
  kind: 'conflicting',
  detail: 'The company has a source of postings already. Add a second one with force.',
});

const unknownSubject = refusal({
  code: 'source-subject-unknown',
  kind: 'unprocessable',
  detail: 'The owner of the source is unknown or ambiguous.',
});

const needsShared = refusal({
  code: 'source-needs-shared',
  kind: 'conflicting',
  detail:
    'There is more than one workspace, and all of them share the content of the file: add it with shared if they may.',
});

type AddHost = Pick<OperatorHost, 'sources' | 'commands' | 'ids' | 'readModels' | 'network' | 'clock'>;

/**
 * Adds a source (SRC-03, SRC-04). Refused: a board that is already a source, also at an address to which it has moved; a second
 * source of postings for one company without `force`; an unknown or ambiguous company; a file that is not shared if
 * there is more than one workspace (SRC-10). `recording` calls the function that it gets, which records the source.
 */
export async function admitSource(
  host: AddHost,
  source: NewSource,
  force: boolean,
  context: CommandContext,
  recording: (record: () => Promise<number>) => Promise<number> = (record) => record(),
): Promise<number> {
  const names = await subjectNames(host, source);
  const requireAlone = async (ownId: number | null): Promise<void> => {
    await requireNew(host, source, ownId);
    if (!force) await requireOnlyPostings(host, source, names, ownId);
  };
  await requireAlone(null);
  await requireShared(host, source);
  await beforeAdding(host.network.polls, source);
  return recording(() => recordSource(host, source, context, requireAlone));
}

async function recordSource(
  host: AddHost,
  source: NewSource,
  context: CommandContext,
  requireAlone: (ownId: number) => Promise<void>,
): Promise<number> {
  const sourceId = await host.ids.next('source');
  const addedAt = host.clock.now().toISOString();
  const stream = String(sourceId);
  const options = { context };
  await host.commands.handle(sourceStream, stream, addSource({ ...source, sourceId, addedAt }), options);
  try {
    // Another request may have added it, or another one of its company, at the same time: the first recorded one stays.
    await requireAlone(sourceId);
  } catch (error) {
    const undo = { ...options, context: contextOfStep(context, 'undo') };
    await host.commands.handle(sourceStream, stream, removeSource(addedAt), undo);
    throw error;
  }
  return sourceId;
}

/** A workspace created at the same time is caught by the poll. */
async function requireShared({ sources: desk }: AddHost, { kind, isShared }: NewSource): Promise<void> {
  if (kindOf(kind)?.isFile !== true || isShared) return;
  if (await desk.hasSeveralWorkspaces()) throw needsShared();
}

/** Active sources of this board; `ownId`: only those added before this one. */
async function requireNew({ readModels }: AddHost, source: NewSource, ownId: number | null): Promise<void> {
  const { kind, boardId, url } = source;
  const whereRead = kindOf(kind)?.whereRead({ url }) ?? null;
  const [byBoard, byUrl] = await Promise.all([
    readModels.find<SourceDocument>(sources, { where: { kind, boardId }, limit: 100 }),
    whereRead === null ? [] : sourcesAt(readModels, kind, whereRead),
  ]);
  const other = firstOther([...byBoard, ...byUrl], ownId);
  if (other === undefined) return;
  const detail = `This ${kind} is read already: source ${other.id} (${other.name}).`;
  throw boardExists({ detail, members: { source_id: other.id } });
}

/** The first of these sources that is in use, and was added before that with `ownId` if it is among them. */
function firstOther(found: readonly SourceDocument[], ownId: number | null): SourceDocument | undefined {
  const inUse = found.filter(({ status }) => status !== 'removed');
  const own = inUse.find(({ id }) => id === ownId);
  return inUse
    .filter(
      ({ id, addedPosition }) =>
        id !== ownId && (own === undefined || isBefore(addedPosition, own.addedPosition)),
    )
    .reduce<SourceDocument | undefined>(
      (first, each) =>
        first === undefined || isBefore(each.addedPosition, first.addedPosition) ? each : first,
      undefined,
    );
}

/** Positions are numbers as text, or zero-padded. */
function isBefore(one: string, other: string): boolean {
  return one.length === other.length ? one < other : one.length < other.length;
}

/** All names of the company; empty if it is not observed. Throws if it is unknown or ambiguous. */
async function subjectNames({ network }: AddHost, { subject }: NewSource): Promise<readonly string[]> {
  if (subject === null) return [];
  const found = await findSubject(network, subject);
  if ('unknown' in found) throw unknownSubject({ detail: `${capitalized(found.unknown)}.` });
  if ('made' in found) return [found.made];
  const facts = (await network.directory.companies([found.ref])).get(found.ref);
  return facts === undefined ? [] : [...facts.domains, ...(facts.handle === null ? [] : [facts.handle])];
}

async function requireOnlyPostings(
  { readModels }: AddHost,
  { kind, subject }: NewSource,
  names: readonly string[],
  ownId: number | null,
): Promise<void> {
  if (subject === null || kindOf(kind)?.gives !== 'postings') return;
  const subjectName = { in: [...new Set([...names, subject.value])] };
  const found = await readModels.find<SourceDocument>(sources, { where: { subjectName }, limit: 100 });
  const postings = found.filter(
    ({ kind: of, subject: whose }) => whose?.entity === 'company' && kindOf(of)?.gives === 'postings',
  );
  const other = firstOther(postings, ownId);
  if (other === undefined) return;
  const detail = `The company has a source of postings already: source ${other.id} (${other.name}). Add a second one with force.`;
  throw secondPostings({ detail, members: { source_id: other.id } });
}
