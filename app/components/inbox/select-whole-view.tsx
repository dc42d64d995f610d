import { useState } from 'react';
import { selectWholeView } from '#app/components/inbox/selection.ts';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { type InboxView, listInput } from '#app/lib/inbox-path.ts';

/** Button that selects every conversation of a view, up to the maximum, without rendering their rows. */
export function SelectWholeView({ of }: { of: InboxView }) {
  const screens = useScreens();
  const [loading, setLoading] = useState(false);
  const load = async () => {
    setLoading(true);
    try {
      const isSelected = await selectWholeView((cursor) =>
        screens.inbox.list.query({ ...listInput(of), cursor, rows: PAGE_ROWS }),
      );
      if (!isSelected) setLoading(false);
    } catch (error) {
      toast.error('Could not select all in this view', { description: queryErrorMessage(error) });
      setLoading(false);
    }
  };
  return (
    <Button variant="quiet" data-shortcut="select-view" aria-busy={loading} onClick={() => void load()}>
      {loading ? 'Selecting' : 'Select all in view'}
    </Button>
  );
}

const PAGE_ROWS = 300;
