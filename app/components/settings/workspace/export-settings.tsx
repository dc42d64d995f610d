'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { OwnPassword } from '#app/components/settings/account/own-password.tsx';
import { requestExport } from '#app/components/settings/workspace/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { RelativeTime, TimeSince } from '#app/components/ui/relative-time.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { formatSize } from '#app/lib/format-size.ts';
import type { ExportView } from '#server/screens/settings/views.ts';

/** Interval at which the page asks for the progress of a running export, in ms. */
const POLL_MS = 3_000;
const KEY = ['workspaceExport.get'];

/** Starts an export, shows its progress, and lists its archives. `initial`: the newest export, if any. */
export function ExportSettings({ initial }: { initial: ExportView | null }) {
  const screens = useScreens();
  const { data: newest } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => screens.workspaceExport.get.query(undefined, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
  });
  return (
    <div className="grid gap-5 p-5">
      {newest ? <Newest newest={newest} /> : null}
      {newest?.state === 'running' ? null : <RequestForm />}
    </div>
  );
}

function Newest({ newest }: { newest: ExportView }) {
  const { state, rows, files, requestedAt, requestedByName, expiresAt, archives } = newest;
  const requested = (
    <>
      Requested by {requestedByName} <RelativeTime at={requestedAt} />.
    </>
  );
  if (state === 'running') {
    return (
      <p role="status" className="text-ink-soft">
        {rows + files === 0
          ? 'The export is starting.'
          : `Exporting: ${pluralize(rows, 'row')} and ${pluralize(files, 'file')} so far.`}{' '}
        {requested} They get an email when it is ready.
      </p>
    );
  }
  if (state !== 'ready') {
    return (
      <p role="status" className="text-ink-soft">
        {state === 'failed' ? 'The last export failed. Start another one.' : 'The last export has expired.'}{' '}
        {requested}
      </p>
    );
  }
  return (
    <div className="grid gap-3">
      <p className="text-ink-soft">
        The export has {pluralize(rows, 'row')} and {pluralize(files, 'file')}. {requested}
        {expiresAt ? (
          <>
            {' '}
            Owners can download it until <TimeSince at={expiresAt} />.
          </>
        ) : null}
      </p>
      <ul aria-label="Archives" className="flex flex-wrap gap-2">
        {archives.map(({ id, path, number, sizeBytes }) => (
          <li key={id}>
            {/* A download, which Next.js must not load as a page. */}
            <a href={path} download className={buttonClass('secondary')}>
              <Download aria-hidden size={16} />
              {archives.length === 1 ? 'Download export' : `Download archive ${number}`} (
              {formatSize(sizeBytes)})
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function RequestForm() {
  const queries = useQueryClient();
  const [state, submit, pending] = useFormAction(requestExport, () => {
    toast.success('The export has started');
    queries.invalidateQueries({ queryKey: KEY });
  });
  return (
    <ActionForm state={state} submit={submit} className="grid max-w-sm gap-4">
      <OwnPassword state={state} required />
      <Button type="submit" disabled={pending} aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Starting' : 'Start export'}
      </Button>
    </ActionForm>
  );
}
