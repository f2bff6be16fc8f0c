import type { Condition, Filter } from '#kernel/ports/read-store.port.js';
import { cityKey, countryKey } from '#projections/signals/detections/places.js';
import type { CityBody } from './signal-filter.body.js';
import type { SignalWindow } from './signal-window.js';

/** A query with all names resolved: null means any. */
export type SignalFilter = {
  readonly workspaceId: number;
  readonly window: SignalWindow;
  readonly priority: 1 | null;
  /** Agent or setup. */
  readonly sourceId: number | null;
  readonly setupIds: readonly number[] | null;
  readonly runId: number | null;
  readonly leadId: number | null;
  readonly companyIds: readonly number[] | null;
  readonly types: readonly string[] | null;
  readonly countries: readonly string[] | null;
  readonly cities: readonly CityBody[] | null;
};

/** The filter on the detections read model: AND across fields, OR inside arrays and between the two place fields. */
export function detectionsFilter(asked: SignalFilter): Filter {
  const { window } = asked;
  const where: Record<string, Condition> = { workspaceId: asked.workspaceId };
  const equal = (field: string, value: number | null): void => {
    if (value !== null) where[field] = value;
  };
  const oneOf = (field: string, values: readonly (string | number)[] | null): void => {
    if (values !== null) where[field] = { in: [...new Set(values)] };
  };
  equal('priority', asked.priority);
  equal('sourceId', asked.sourceId);
  equal('runId', asked.runId);
  equal('leadId', asked.leadId);
  oneOf('setupId', asked.setupIds);
  oneOf('companyId', asked.companyIds);
  oneOf('signalType', asked.types);

  if (window.signalFrom !== null || window.signalTo !== null) {
    where['signalAt'] = between(window.signalFrom, window.signalTo);
  }
  // A signal date is never after its detection, so the window of signal dates limits how far back the index is read.
  const detectedFrom = latest(window.detectedFrom, window.signalFrom);
  if (detectedFrom !== null || window.detectedTo !== null) {
    where['detectedAt'] = between(detectedFrom, window.detectedTo);
  }

  const countries = asked.countries?.map(countryKey).filter((key) => key !== null);
  const cities = asked.cities
    ?.map(({ name, country }) => cityKey(name, country))
    .filter((key) => key !== null);
  if (countries !== undefined && cities !== undefined) {
    return { where, anyOf: [{ where: { country: { in: countries } } }, { where: { city: { in: cities } } }] };
  }
  oneOf('country', countries ?? null);
  oneOf('city', cities ?? null);
  return { where };
}

function between(from: string | null, to: string | null): Condition {
  return { ...(from === null ? {} : { gte: from }), ...(to === null ? {} : { lte: to }) };
}

function latest(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return left > right ? left : right;
}
