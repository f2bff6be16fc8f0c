import type { StoredShortcuts } from '#signals/domain/runs/shortcut-facts.js';
import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { cityKey, countryKey } from './places.js';

type SignalDetected = SignalRunEvents['SignalDetected'];

/** A detection as all signal queries answer it (`shortcutsIn`), and the fields they filter and sort by. */
export type DetectionDocument = {
  readonly id: number;
  readonly workspaceId: number;
  /** The agent or setup that found it (one id space); null for those added by hand. */
  readonly sourceId: number | null;
  readonly setupId: number | null;
  /** What its agent or setup reports once for ever; null for those added by hand, which shadow nothing. */
  readonly subject: string | null;
  readonly runId: number | null;
  /** What it was paid with, maybe together with others; null where it was free. */
  readonly movementId: number | null;
  /** What that movement costs; null where its event did not carry it, or where there is none. */
  readonly credits: string | null;
  readonly signalType: string;
  readonly priority: 1 | 2;
  readonly detectedAt: string;
  readonly signalDate: string | null;
  /** What the signal window is about: the date of the signal, else when it was detected. */
  readonly signalAt: string;
  readonly leadId: number | null;
  readonly companyId: number | null;
  /** Where the lead was when the signal was detected, as `places.ts` folds it; null without a lead or place. */
  readonly country: string | null;
  readonly city: string | null;
  readonly data: SignalDetected['data'];
  /** Absent where nothing of it came from a source. */
  readonly provenance?: SignalDetected['provenance'];
} & StoredShortcuts;

export const detectionKey = (id: number): string => String(id);

/**
 * Every filter that a caller can name leads an index that ends in the order of the answer, so a page costs the
 * same at any depth. Nothing is dated after its detection: a window of signal dates is one of detection dates.
 * Also decides duplicates of earlier launches, so for that it is read only where it has come past the previous
 * RunEnded.
 */
export const detections = projection<DetectionDocument, Pick<SignalRunEvents, 'SignalDetected'>>()({
  name: 'detections',
  version: 9,
  compact: true,
  critical: true,
  indexes: {
    newestFirst: ['workspaceId', 'detectedAt', 'id'],
    bySource: ['workspaceId', 'sourceId', 'detectedAt', 'id'],
    byRun: ['workspaceId', 'runId', 'detectedAt', 'id'],
    byLead: ['workspaceId', 'leadId', 'detectedAt', 'id'],
    byCompany: ['workspaceId', 'companyId', 'detectedAt', 'id'],
    byCity: ['workspaceId', 'city', 'detectedAt', 'id'],
    byCountry: ['workspaceId', 'country', 'detectedAt', 'id'],
    byType: ['workspaceId', 'signalType', 'detectedAt', 'id'],
    byPriority: ['workspaceId', 'priority', 'detectedAt', 'id'],
    bySetup: ['workspaceId', 'setupId', 'priority', 'detectedAt', 'id'],
    bySubject: ['workspaceId', 'sourceId', 'subject'],
    byMovement: ['workspaceId', 'movementId', 'detectedAt', 'id'],
    signalWindow: ['workspaceId', 'signalAt'],
    signalsOfSource: ['workspaceId', 'sourceId', 'signalAt'],
    bothWindows: ['workspaceId', 'detectedAt', 'signalAt'],
  },
  onlyWith: {
    bySetup: 'setupId',
    byLead: 'leadId',
    byCountry: 'country',
    byCity: 'city',
    byMovement: 'movementId',
  },
  key: (event) => detectionKey(event.data.detectionId),
  on: {
    SignalDetected: (_none, event) => {
      const { data } = event;
      const detectedAt = recordedAtOf(event);
      const sourceId = data.setupId ?? data.agentId ?? null;
      return {
        id: data.detectionId,
        workspaceId: workspaceIdOf(event),
        sourceId,
        setupId: data.setupId ?? null,
        subject: sourceId === null ? null : data.subject,
        runId: data.runId ?? null,
        movementId: data.movementId,
        credits: data.credits ?? null,
        signalType: data.signalType,
        priority: data.priority,
        detectedAt,
        signalDate: data.signalDate,
        signalAt: data.signalDate ?? detectedAt,
        leadId: data.leadId,
        companyId: data.companyId,
        country: countryKey(data.leadCountry ?? null),
        city: cityKey(data.leadCity ?? null, data.leadCountry ?? null),
        ...(data.sourceUrl !== undefined && { sourceUrl: data.sourceUrl }),
        ...(data.author !== undefined && { author: data.author }),
        ...(data.excerpt !== undefined && { excerpt: data.excerpt }),
        data: data.data,
        details: data.details,
        ...(data.provenance !== undefined && { provenance: data.provenance }),
      };
    },
  },
});
