import { InvalidSetting } from './settings.js';

const NOT_HERE = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT']);

/** Opens a listener. Throws `InvalidSetting` with the setting to change if the address cannot be used. */
export async function listeningOn<Opened>(
  opening: PromiseLike<Opened>,
  variables: { readonly port: string; readonly host: string },
): Promise<Opened> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const { code, message } = error;
    if (code === 'EADDRINUSE')
      throw new InvalidSetting(variables.port, `a port that is free, or 0: ${message}`);
    if (code === 'EACCES')
      throw new InvalidSetting(variables.port, `a port that this user may open: ${message}`);
    if (NOT_HERE.has(String(code)))
      throw new InvalidSetting(variables.host, `an address of this machine: ${message}`);
    throw error;
  }
}
