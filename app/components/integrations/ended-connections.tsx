import { EndedList } from '#app/components/integrations/ended-list.tsx';
import { HistorySection } from '#app/components/integrations/history-sections.tsx';
import { getScreens } from '#app/data/get-screens.ts';

/** So many are shown at once, the newest. */
const SHOWN = 3;

/** The connections that ended lately, why, and what to do to have one back. */
export async function EndedConnections() {
  const { items, older } = await (await getScreens()).connections.listEnded({});
  return (
    <HistorySection
      id="ended-connections"
      title="Ended connections"
      empty="No connection has ended yet. Ended connections appear here, with who made them and why they ended."
      all={
        items.length > SHOWN || older
          ? { href: '/settings/integrations/ended', words: 'All ended connections' }
          : null
      }
    >
      {items.length > 0 ? <EndedList connections={items.slice(0, SHOWN)} /> : null}
    </HistorySection>
  );
}
