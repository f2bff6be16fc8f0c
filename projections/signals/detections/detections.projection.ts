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
  /**
   * The subject that its agent or setup records only once; null for detections added by hand, which do not block a
   * subject.
   */
  readonly subject: string | null;
  readonly runId: number | null;
  /** The movement that paid for it, possibly with other detections; null if it was free. */
  readonly movementId: number | null;
  /** The price of that movement; null if its event did not carry it, or if there is none. */
  readonly credits: string | null;
  readonly signalType: string;
  readonly priority: 1 | 2;
  readonly detectedAt: string;
  readonly signalDate: string | null;
  /** The date of the signal window: the date of the signal, or of the detection if it has none. */
  readonly signalAt: string;
  readonly leadId: number | null;
  readonly companyId: number | null;
  /** The place of the lead at the detection, as `places.ts` folds it; null without a lead or place. */
  readonly country: string | null;
  readonly city: string | null;
  readonly data: SignalDetected['data'];
  /** Absent if no source was involved. */
  readonly provenance?: SignalDetected['provenance'];
} & StoredShortcuts;

export const detectionKey = (id: number): string => String(id);

/**
 * Every filter that a caller can name leads an index that ends in the order of the answer, so a page costs the same
 * at any depth. A signal date is never after its detection, so a window of signal dates is also one of detection
 * dates. The view also decides duplicates of earlier launches; for that, readers first wait until it includes the
 * previous RunEnded.
 */
export const detections = projection<DetectionDocument, Pick<SignalRunEvents, 'SignalDetected'>>()({
  name: 'detections',
  version: 10,
  compact: true,
  instants: ['detectedAt', 'signalAt'],
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
