import { AuditList } from '#app/components/integrations/audit-list.tsx';
import { HistorySection } from '#app/components/integrations/history-sections.tsx';
import { getScreens } from '#app/data/get-screens.ts';

/** So many entries are shown at once, the newest. */
const SHOWN = 5;

/** What happened to connections lately: who connected, was refused or disconnected, and which ended automatically. */
export async function ConnectionHistory() {
  const { items, older } = await (await getScreens()).connections.listAudit({});
  return (
    <HistorySection
      id="history"
      title="History"
      empty="No history yet. Connections that are made, refused or ended appear here."
      all={
        items.length > SHOWN || older
          ? { href: '/settings/integrations/history', words: 'Full history' }
          : null
      }
    >
      {items.length > 0 ? <AuditList entries={items.slice(0, SHOWN)} /> : null}
    </HistorySection>
  );
}
