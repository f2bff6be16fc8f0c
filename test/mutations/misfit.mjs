import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The reason why a mutation cannot be applied to the code compiled in `dist`: none, or one complaint. */
export function misfit({ name, file, find, replace, catchers }, dist) {
  const missing = [file, ...catchers].filter((needed) => !existsSync(join(dist, needed)));
  if (missing.length > 0) return [`${name}: there is no dist/${missing.join(', dist/')}`];
  const count = readFileSync(join(dist, file), 'utf8').split(find).length - 1;
  if (count !== 1) return [`${name}: stands ${count} times in dist/${file}: ${find}`];
  return find === replace ? [`${name}: changes nothing`] : [];
}
