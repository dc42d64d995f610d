import { chromium } from '@playwright/test';
import AxeBuilder from '@axe-core/playwright';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
for (const [name, o] of Object.entries({
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  tablet: { colorScheme: 'light', viewport: { width: 1100, height: 800 } },
} as const)) {
  const c = await b.newContext(o); const p = await c.newPage();
  const bad: string[] = [];
  p.on('console', (m) => m.type() === 'error' && bad.push(m.text())); p.on('pageerror', (e) => bad.push(e.message));
  p.on('request', (r) => { if (!r.url().startsWith('http://localhost:3210') && !r.url().startsWith('data:')) bad.push(r.url()); });
  await p.goto('http://localhost:3210/docs'); await p.waitForLoadState('networkidle');
  const { violations } = await new AxeBuilder({ page: p }).analyze();
  console.log(name, bad, violations.map((v) => `${v.id} ${v.nodes.length} ${v.nodes[0]?.html} ${v.nodes[0]?.failureSummary}`));
  console.log('overflow', await p.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), await p.evaluate(() => document.documentElement.scrollHeight));
  await p.screenshot({ path: `/tmp/docs-lib/${name}-0.png` });
  let i = 1;
  for (const id of ['connecting', 'connecting-exchange', 'hooks', 'errors', 'subscribeHook', 'updateConversation', 'onConversationTagged', 'record-Conversation']) {
    await p.evaluate((x) => { location.hash = x; }, id); await p.waitForTimeout(250);
    await p.screenshot({ path: `/tmp/docs-lib/${name}-${i++}.png` });
  }
  if (name === 'phone') { await p.getByRole('button', { name: 'Contents' }).click(); await p.waitForTimeout(400); await p.screenshot({ path: '/tmp/docs-lib/phone-menu.png' }); const r = await new AxeBuilder({ page: p }).analyze(); console.log(r.violations.map((v) => v.id + v.nodes[0]?.html)); await p.getByRole('link', { name: /Send a reply/ }).click(); await p.waitForTimeout(400); console.log(p.url(), await p.evaluate(() => document.getElementById('sendReply')?.getBoundingClientRect().top)); }
  await c.close();
}
await b.close();
