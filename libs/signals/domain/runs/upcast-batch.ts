import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';

/** Version 1 of BatchPrepared: one content per candidate, the subject as charge key, and a text as cursor. */
export function batchOfSingleContents({ cursor, candidates, ...batch }: JsonObject): JsonObject {
  return {
    ...batch,
    candidates: Array.isArray(candidates) ? candidates.map(candidateOfToday) : [],
    resume: typeof cursor === 'string' ? parsed(cursor) : null,
  };
}

/** A cursor was JSON of the detector; other text stays as it is. */
function parsed(cursor: string): JsonValue {
  try {
    return JSON.parse(cursor);
  } catch {
    return cursor;
  }
}

/** Version 2 of BatchPrepared contained the candidates themselves. */
export function batchWithCandidates(batch: JsonObject): JsonObject {
  const { candidates } = batch;
  const objects = Array.isArray(candidates) ? candidates.filter((one: JsonValue) => isJsonObject(one)) : [];
  return { ...batch, subjects: textsOf(objects, 'subject'), chargeKeys: textsOf(objects, 'chargeKey') };
}

const textsOf = (candidates: readonly JsonObject[], name: string): string[] => [
  ...new Set(candidates.map((candidate) => String(candidate[name] ?? ''))),
];

function candidateOfToday(candidate: JsonValue): JsonValue {
  if (!isJsonObject(candidate)) return candidate;
  const { content, leadWorksElsewhere, data, ...same } = candidate;
  // Only keyword detections had a member for the id of their content, which was set when they were recorded.
  const showsContent = candidate['signalType'] === 'keywordDetection';
  return {
    ...same,
    chargeKey: candidate['subject'],
    contents: isJsonObject(content) ? [{ ...content, idIn: showsContent ? 'data' : null }] : [],
    ...(leadWorksElsewhere === true && { employer: null }),
    data: showsContent && isJsonObject(data) ? { content_id: null, ...data } : (data ?? {}),
  };
}
