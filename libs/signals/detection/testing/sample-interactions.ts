import { positionOf } from '#network/position.js';
import type { Author, NetworkSource, ObservedInteraction, Whose } from '#network/network-source.port.js';
import { sampleCompany, samplePerson, type SamplePerson } from './sample-run.js';

/** A company page (`c:acme`), or a person (`p:ana`) with title and employer; null: unknown. */
type SampleAuthor = `c:${string}` | SamplePerson | null;

export type SampleInteraction = {
  readonly ref: string;
  /** Absent: a comment. */
  readonly kind?: 'comment' | 'reaction';
  readonly by: SampleAuthor;
  readonly on: SampleAuthor;
  readonly text?: string | null;
  readonly postText?: string | null;
};

const MOMENT = '2026-01-03T09:00:00.000Z';
const postUrl = 'https://www.network.example/posts/1';

/** The name of the employer is in its ref. */
function sampleAuthor(author: SampleAuthor): Author | null {
  if (author === null) return null;
  const company = (ref: string) =>
    sampleCompany({ ref, name: ref.slice(2), networkUrl: `https://${ref.slice(2)}.example` });
  if (typeof author === 'string') return { entity: 'company', company: company(author) };
  // An employer of which only the ref is known.
  const isKnown = author.companyRef !== null && !author.companyRef.startsWith('c:unknown');
  return {
    entity: 'person',
    person: samplePerson(author),
    company: isKnown && author.companyRef !== null ? company(author.companyRef) : null,
  };
}

export const sampleInteraction = ({
  ref,
  kind = 'comment',
  by,
  on,
  text = 'We can help',
  postText = 'We are moving our CRM',
}: SampleInteraction): ObservedInteraction => ({
  position: positionOf({ at: Date.parse(MOMENT), ref, tie: kind }),
  reading: null,
  kind,
  ref,
  rev: 1,
  url: kind === 'comment' ? `${postUrl}?comment=1` : null,
  text: kind === 'comment' ? text : null,
  reaction: kind === 'comment' ? null : 'like',
  happenedAt: MOMENT,
  actorRef: refOf(by),
  actor: sampleAuthor(by),
  post: {
    ref: 'post:1',
    rev: 1,
    reading: null,
    url: postUrl,
    text: postText,
    publishedAt: MOMENT,
    authorRef: refOf(on),
    author: sampleAuthor(on),
  },
});

const refOf = (author: SampleAuthor): string =>
  typeof author === 'string' ? author : (author?.ref ?? 'p:nobody');

/** A network of these interactions. */
export const interactionsSource = (
  interactions: readonly SampleInteraction[],
): Pick<NetworkSource, 'interactions'> => ({
  interactions: async ({ kinds, by, on }) => ({
    items: interactions
      .map(sampleInteraction)
      .filter(({ kind, actor, post }) => kinds.includes(kind) && isOf(by, actor) && isOf(on, post.author)),
    next: null,
  }),
});

function isOf(whose: Whose | undefined, author: Author | null): boolean {
  if (whose === undefined) return true;
  if (author === null) return false;
  if (author.entity === 'company') return whose.companyRefs.includes(author.company.ref);
  const { ref, current } = author.person;
  return whose.personRefs.includes(ref) || whose.companyRefs.includes(current?.companyRef ?? '');
}
