import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import type { MoveKind, ObservedMove } from '#network/network-source.port.js';
import type { Experience } from '#network/observation.js';
import { nameGiven } from '#network/work-positions.js';
import type { FindingOf } from '#signals/detection/finding.js';
import { bounded } from '#kernel/values/bounded-text.js';
import type { PayloadOf } from '#signals/domain/runs/payload-facts.js';
import { authorOf } from '#identities/observed-facts.js';

type CareerSignal = 'newJob' | 'recentlyPromoted' | 'championJobChange';

type CareerChange = Pick<
  FindingOf<CareerSignal>,
  'subject' | 'signalType' | 'signalDate' | 'company' | 'readings'
> &
  Pick<PayloadOf<CareerSignal>, 'previous' | 'current'> & {
    readonly person: PersonFacts;
    readonly change: MoveKind;
  };

/** The finding of a career change (OP-42): about the person, without content. */
export const careerFinding = ({
  person,
  change,
  previous,
  current,
  ...found
}: CareerChange): FindingOf<CareerSignal> => ({
  ...found,
  lead: person,
  contents: [],
  data: { profile: authorOf(person), change, previous, current },
});

const positionAt = (position: Experience, company: CompanyFacts | null) => ({
  title: bounded(position.title),
  company_name: bounded(nameGiven(position) ?? company?.name ?? null),
  company_network_url: company?.networkUrl ?? null,
});

export const leftPosition = (position: Experience, company: CompanyFacts | null) => ({
  ...positionAt(position, company),
  end_date: position.endDate,
});

export const heldPosition = (position: Experience, company: CompanyFacts | null) => ({
  ...positionAt(position, company),
  start_date: position.startDate,
});

/**
 * The finding of a move; `company` is the company that it is about: the new employer, or the employer that was left.
 */
export function moveFinding(
  signalType: CareerSignal,
  move: ObservedMove,
  company: CompanyFacts | null,
): FindingOf<CareerSignal> {
  const { personRef, rev, observedAt, change, person, previous, current, reading } = move;
  return careerFinding({
    subject: `move:${personRef}:${rev}`,
    signalType,
    signalDate: observedAt,
    company,
    readings: [reading],
    person,
    change,
    previous: previous && leftPosition(previous, move.previousCompany),
    current: current && heldPosition(current, move.currentCompany),
  });
}
