import { detectors } from '#signals/detection/detectors.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { expectNone } from '#test/house/expect-none.js';
import { proofs, provenElsewhere } from '../detection/proofs/proofs.js';
import type { KilledRun } from '../detection/proofs/proof.js';
import { isRecord } from '../support/records.js';
import { killedAt, killedPoints } from '../support/killed-points.js';
import { mortal, untilDeath } from '../support/mortal.js';
import { openSignalHouse, type Launched, type SignalHouse } from '../support/signal-house.js';
import { expectLedgerAgrees } from '../support/signal-run-checks.js';
import { foundTopAccounts, watchedList } from '../support/watched-scene.js';

/** The distance between points; the points differ between detectors. */
const STRIDE = 29;
const NEVER = new AbortController().signal;
const PERSONA_ID = 1;

type Row = KilledRun & { readonly kind: string };
const rows = proofs.flatMap(({ kind, killed }) => (killed === undefined ? [] : [{ kind, ...killed }]));

async function launchOf(house: SignalHouse, row: Row, credits: number): Promise<Launched> {
  const workspaceId = await house.workspace({ mode: 'self' }, credits);
  const { persona, directions, templateKey = null, targetTitles = null, ...launch } = row.launch;
  const scope = row.list === undefined ? null : await watchedList(house, workspaceId, row.list);
  await foundTopAccounts(house, workspaceId, row.topAccounts ?? []);
  return house.launch(workspaceId, await house.agent(workspaceId), {
    keyword: '',
    ...(persona !== undefined && { persona }),
    ...(directions !== undefined && { directions }),
    detection: {
      ...launch,
      detectorKind: row.kind,
      templateKey,
      targetTitles,
      coveredFor: PERSONA_ID,
      scope,
    },
  });
}

/** Works on all directions of the launch, one after the other, until all is done or the process dies. */
const workUntil = (house: SignalHouse, { covered = [] }: Row, { works }: Launched, fatalPoint: number) =>
  untilDeath(fatalPoint, async (life) => {
    const coverage = mortal({ coveredAccounts: async () => covered }, life);
    const host = house.worker(life, { coverage });
    for (const work of works) await executeSignalRun.act(host, work, NEVER);
  });

/** The result of a launch with names instead of ids: equal for two equal results. */
async function outcomeOf(house: SignalHouse, launched: Launched) {
  const { works } = launched;
  const own = await house.eventsSince(launched);
  const dataOf = (...types: readonly string[]) =>
    own.filter(({ type }) => types.includes(type)).map(({ data }) => data);
  const names = (type: string, id: string, name: string) =>
    new Map(dataOf(type).map((data) => [data[id], data[name]]));
  const contents = names('ContentCaptured', 'contentId', 'ref');
  const companies = names('CompanyRegistered', 'companyId', 'identity');
  const leads = names('LeadRegistered', 'leadId', 'identity');
  // One of each, for any number of attempts.
  for (const registered of [contents, companies, leads])
    expect(new Set(registered.values()).size).toBe(registered.size);
  const named = (data: unknown): unknown =>
    JSON.parse(
      JSON.stringify(data, (key, value) => (key === 'content_id' ? (contents.get(value) ?? value) : value)),
    );
  const causeOf = ({ cause }: { readonly cause?: unknown }): unknown =>
    isRecord(cause) ? cause['subject'] : null;
  const held = new Map(dataOf('CreditsHeld').map((data) => [data['movementId'], causeOf(data)]));
  return {
    detections: works.map(({ runId }) =>
      dataOf('SignalDetected')
        .filter((data) => data['runId'] === runId)
        .map(({ subject, signalType, signalDate, priority, data, companyId, leadId, movementId }) => ({
          subject,
          signalType,
          signalDate,
          priority,
          data: named(data),
          company: companies.get(companyId),
          lead: leads.get(leadId),
          isPaid: movementId !== null,
        })),
    ),
    contents: [...contents.values()].sort(),
    paid: dataOf('CreditsCaptured').map(({ movementId }) => held.get(movementId)),
    checks: dataOf('MembersChecked').flatMap(({ memberIds }) => memberIds).length,
    starts: dataOf('RunStarted').length,
    ends: dataOf('RunEnded').map(({ outcome, matchesFound, matchesDropped, creditsSpent }) => ({
      outcome,
      matchesFound,
      matchesDropped,
      creditsSpent,
    })),
  };
}

describe('a run of any detector whose worker is killed', () => {
  it('covers each detector', () => {
    const tried = [...rows.map(({ kind }) => kind), ...provenElsewhere.killed];
    expectNone(
      detectors.map(({ kind }) => kind).filter((kind) => !tried.includes(kind)),
      'write the part `killed` in the proof of these detectors in test/detection/proofs (docs/detection.md, "Tests of a detector")',
    );
  });

  it.each(rows)('finishes once, with the same detections and charges: $kind, $title', async (row) => {
    const house = await openSignalHouse();
    try {
      await house.ingest(row.observations(house.now()));
      for (const credits of row.pays === 0 ? [0] : [row.pays * 10, row.pays * 10 - 1]) {
        let expected: Awaited<ReturnType<typeof outcomeOf>> | undefined;
        await killedAt({
          alwaysDies: true,
          pointsOf: (points) => killedPoints(points, STRIDE, 1 + (rows.indexOf(row) % STRIDE)),
          begin: () => launchOf(house, row, credits),
          workUntil: (launched, fatalPoint) => workUntil(house, row, launched, fatalPoint),
          async check(launched) {
            const found = await outcomeOf(house, launched);
            expected ??= found;
            expect(found).toEqual(expected);
            await expectLedgerAgrees(house, launched);
            expect([credits, found.starts]).toEqual([credits, launched.works.length]);
            expect(found.checks).toBe(row.checks ?? 0);
            expect(found.paid).toHaveLength(Math.floor(credits / 10));
            expect(new Set(found.paid).size).toBe(found.paid.length);
            if (credits % 10 === 0) {
              expect(found.detections.map((each) => each.map(({ subject }) => subject))).toEqual(row.finds);
              expect(new Set(found.ends.map(({ outcome }) => outcome))).toEqual(new Set(['completed']));
            } else {
              expect(found.ends.at(-1)).toMatchObject({ outcome: 'completed_partial' });
            }
          },
        });
      }
    } finally {
      await house.close();
    }
  });
});
