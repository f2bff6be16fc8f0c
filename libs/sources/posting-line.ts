import type { BoardKind, SeenPosting } from './board-kind.js';
import { itemRef } from './item-ref.js';
import { plainName, plainText } from './plain-text.js';
import { redactContacts } from './redact-contacts.js';
import type { Line } from './source-kind.js';

export type PostingOf = {
  readonly kind: Pick<BoardKind, 'name'>;
  readonly boardId: string;
  readonly companyRef: string;
  /** Replaces mail addresses and telephone numbers. */
  readonly redactsContacts: boolean;
};

/** A posting as a line for ingestion; null if it has neither title nor text (SRC-02). */
export function postingLine(
  { kind, boardId, companyRef, redactsContacts }: PostingOf,
  { id, html, title: writtenTitle, location, department, postedAt, ...posting }: SeenPosting,
): Line | null {
  const named = (written: string | null): string | null => (written === null ? null : plainName(written));
  const title = named(writtenTitle);
  const texts = html.flatMap((part) => plainText(part) ?? []);
  const shown = (text: string): string => (redactsContacts ? redactContacts(text) : text);
  if (title === null && texts.length === 0) return null;
  return {
    kind: 'job_posting',
    ref: itemRef(kind.name, boardId, id),
    rev: 'auto',
    company_ref: companyRef,
    title: title === null ? null : shown(title),
    description: texts.length === 0 ? null : shown(texts.join('\n\n')),
    posted_at: postedAt,
    location: named(location),
    department: named(department),
    ...posting,
  };
}
