import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Credits } from '#kernel/values/credits.js';
import { isPriceItem } from '#catalogue/domain/prices/price-resolution.js';
import type { TemplateContent } from '#catalogue/domain/templates/catalogue.events.js';
import { pricesToCharge } from '#catalogue/workspace-prices.js';
import { isBilled } from '#ledger/charging/affordable.js';
import type { WantedSchedule } from '#signals/domain/schedules/schedule-facts.js';

type PricesHost = { readonly commands: Pick<Commands, 'load'>; readonly readModels: ReadModels };

/** Only the limit of a schedule is checked against a price, and only where somebody pays (OP-25). */
const needsPrice = async (
  commands: PricesHost['commands'],
  workspaceId: number,
  schedule: WantedSchedule | null,
): Promise<boolean> => typeof schedule?.maxCredits === 'bigint' && (await isBilled(commands, workspaceId));

/** The price of one signal by agent type, for the limit of this schedule; null: none yet, or nobody pays. */
export async function pricesOfAgents(
  { commands, readModels }: PricesHost,
  workspaceId: number,
  schedule: WantedSchedule | null,
): Promise<(type: string) => Credits | null> {
  if (!(await needsPrice(commands, workspaceId, schedule))) return () => null;
  const { chargeOf } = await pricesToCharge(commands, readModels, workspaceId);
  return (type) => {
    const item = `agent:${type}`;
    return isPriceItem(item) ? (chargeOf(item)?.credits ?? null) : null;
  };
}

/** The price of one signal of a setup's launches, for the limit of this schedule; null: none yet, or nobody pays. */
export async function priceOfSetup(
  { commands, readModels }: PricesHost,
  workspaceId: number,
  { key, content }: { readonly key: string; readonly content: Pick<TemplateContent, 'scopes' | 'detector'> },
  schedule: WantedSchedule | null,
): Promise<Credits | null> {
  if (!(await needsPrice(commands, workspaceId, schedule))) return null;
  if (isOfCoveredAlone(content)) return 0n;
  const { chargeOf } = await pricesToCharge(commands, readModels, workspaceId);
  return chargeOf(`discovery:${key}`)?.credits ?? null;
}

/** Whether every launch of a setup of the template is only about covered accounts, whose month is paid (D-08). */
export const isOfCoveredAlone = ({
  scopes,
  detector: { requiresTopAccounts },
}: Pick<TemplateContent, 'scopes' | 'detector'>): boolean =>
  !scopes.includes('discovery') || requiresTopAccounts;
