import { assetOf } from './asset.js';

/**
 * Updates the progress bar of a page, and reloads the page when the work has ended. The page is complete without it.
 */
const FOLLOW = `
const at = document.querySelector('[data-live]');
if (at !== null) {
  const source = new EventSource(at.dataset.live);
  source.onmessage = ({ data }) => {
    const { done, total, words, ended } = JSON.parse(data);
    if (ended) {
      source.close();
      location.reload();
      return;
    }
    at.querySelector('.words').textContent = words;
    const bar = at.querySelector('progress');
    if (total === null) bar.removeAttribute('value');
    else {
      bar.max = total;
      bar.value = done;
    }
  };
}
`;

export const liveScript = assetOf('live', 'js', FOLLOW);
