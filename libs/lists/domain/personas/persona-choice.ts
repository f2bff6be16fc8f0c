import { refusal } from '#kernel/values/refusal.js';
import type { PersonaFacts } from './personas.events.js';

/** The fields of an active persona that the choice needs. */
export type PersonaTargeting = { readonly facts: Pick<PersonaFacts, 'jobTitle' | 'location'> };

export const personaIncomplete = refusal({
  code: 'persona-incomplete',
  kind: 'unprocessable',
  title: 'Persona incomplete',
  slug: 'persona-incomplete',
  detail: 'The workspace has no persona with at least one job title and one location.',
});

const isNamed = (texts: readonly string[] | null) => texts !== null && texts.length > 0;

/**
 * The persona of a new setup (OP-15): the oldest active one with a job title and a location; if none is
 * complete, the oldest active one; null if no persona is active. The personas are sorted oldest first.
 */
export function personaForSetup<Persona extends PersonaTargeting>(
  activePersonas: readonly Persona[],
): Persona | null {
  const complete = activePersonas.find(({ facts }) => isNamed(facts.jobTitle) && isNamed(facts.location));
  return complete ?? activePersonas[0] ?? null;
}

/** Throws `personaIncomplete`, naming the missing fields, unless the persona has a job title and a location. */
export function requireCompletePersona(persona: PersonaTargeting | null): void {
  if (persona === null) {
    throw personaIncomplete({
      detail: 'The workspace has no persona: add a persona with at least one job title and one location.',
    });
  }
  const missing = [
    isNamed(persona.facts.jobTitle) ? '' : 'The persona has no job title.',
    isNamed(persona.facts.location) ? '' : 'The persona has no location.',
  ].filter((sentence) => sentence !== '');
  if (missing.length > 0) throw personaIncomplete({ detail: missing.join(' ') });
}
