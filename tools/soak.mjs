// Kills the service KILLS times (200) in the middle of traffic, from seed SEED (1) on, and prints what was found
// after each restart. Ends with 1 at the first thing lost, charged twice or hanging, and names its seed.
const { killCampaign } = await import('#test/support/kill-campaign.js');

const kills = Number(process.env.KILLS ?? '200');
const seed = Number(process.env.SEED ?? '1');
const row = (...cells) => console.log(cells.map((cell) => String(cell).padStart(13)).join(''));

row('kill', 'seed', 'during', 'acknowledged', 'unfinished', 'restart ms');
let done = 0;
try {
  await killCampaign(kills, seed, (report) => {
    done += 1;
    row(report.kill, report.seed, report.traffic, report.acknowledged, report.unfinished, report.restartMs);
  });
  console.log(`\n${done} kills: nothing acknowledged lost, nothing charged twice, nothing hanging.`);
} catch (error) {
  console.error(error);
  console.error(`\nFailed after ${done} kills. The same one again: KILLS=${kills} SEED=${seed} npm run soak`);
  process.exitCode = 1;
}
