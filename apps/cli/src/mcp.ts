import { Option, type Command } from 'commander';
import { WrongUsage } from './options.js';
import { printable } from './printable.js';

const KEY_VARIABLE = 'SIGNAL_LEDGER_KEY';
const URL_VARIABLE = 'SIGNAL_LEDGER_URL';
const HERE = 'http://127.0.0.1:3000';

/** Tools for an assistant that starts a program: it opens no store and forwards to a service. */
export function addMcp(command: Command): void {
  command
    .description('Tools for an assistant over standard input and output, forwarded to /mcp of a service')
    .addOption(new Option('--url <url>', 'the service').env(URL_VARIABLE).default(HERE))
    .addOption(new Option('--key <key>', 'API key of a workspace').env(KEY_VARIABLE))
    .addHelpText(
      'after',
      [
        '',
        `Set ${KEY_VARIABLE} rather than --key: other users can read arguments in the list of processes.`,
        'It opens no store, and ends when its input ends.',
      ].join('\n'),
    )
    .action(async ({ url, key }: { readonly url: string; readonly key?: string }) => {
      const target = endpointOf(url);
      if (key === undefined || key === '')
        throw new WrongUsage(`an API key is needed: set ${KEY_VARIABLE}, or --key`);
      if (!/^[\x21-\x7e]+$/.test(key)) throw new WrongUsage(`${KEY_VARIABLE} or --key is no API key`);
      const { forwardMessages } = await import('./mcp-forward.js');
      await forwardMessages({
        url: target,
        apiKey: key,
        stdin: process.stdin,
        stdout: process.stdout,
        complain: (message) => console.error(printable(message)),
      });
    });
}

/** `/mcp` of a service address, given with or without that path. */
function endpointOf(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new WrongUsage(`--url takes an address such as ${HERE}, not ${JSON.stringify(url)}`);
  parsed.pathname = `${parsed.pathname.replace(/\/(?:mcp\/?)?$/, '')}/mcp`;
  return parsed;
}
