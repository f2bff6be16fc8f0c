import { capitalized } from '#kernel/values/capitalized.js';
import { html, type Html } from '#http/page.js';
import type { Problem } from '#http/problem.js';
import { textField } from './parts.js';

/**
 * The fields of a refused address: each fault is beside its field, and the other fields keep their values. Nothing if
 * no fault is about a field of the address.
 */
export function refusedQuery(address: string, { errors, place }: Problem): Html {
  const { pathname, searchParams } = new URL(address, 'http://console');
  const faults = [...(errors ?? [])].filter(([name]) => place === 'query' || searchParams.has(name));
  if (faults.length === 0) return html``;
  const wrong = new Map(faults);
  const others = [...searchParams].filter(([name, value]) => !wrong.has(name) && value !== '');
  return html`<form class="action" method="get" action="${pathname}">
    ${faults.map(([name, messages]) => textField(name, { label: words(name), value: searchParams.get(name) ?? '', faults: messages }))}
    ${others.map(([name, value]) => html`<label>${words(name)} <input name="${name}" value="${value}" /></label>`)}
    <p class="buttons">
      <button class="primary">Show</button>
      <a href="${pathname}">The page without these values</a>
    </p>
  </form>`;
}

/** `rows_from` as the label of a field. */
const words = (name: string): string => capitalized(name.replaceAll('_', ' '));
