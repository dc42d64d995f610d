import { ExternalLink, LockKeyhole } from 'lucide-react';
import { CodeBlock } from '#app/components/docs/code-block.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/session.ts';
import { cx } from '#app/lib/cx.ts';
import { formatSize } from '#app/lib/format-size.ts';
import { roleName } from '#app/lib/role-name.ts';

/** Embed code, test links and file storage of the web chat. Owners and admins only. */
export async function WebChatSettings({ workspaceName }: { workspaceName: string }) {
  const view = await (await getScreens()).webchat.settings();
  if (view.kind === 'not_allowed') {
    return (
      <Card>
        <EmptyState icon={LockKeyhole} title="Only owners and admins can set up the web chat">
          <p>
            The chat appears publicly on the site of {workspaceName}. Your role here is{' '}
            {roleName(view.role).toLowerCase()}, so ask an owner or admin for changes.
          </p>
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section
        id="embed"
        title="On your site"
        about="Add this line just before the closing body tag of each page that should have the chat. A button appears at the bottom right."
      >
        <div className="p-5">
          <CodeBlock title="Script tag" text={view.scriptTag} />
        </div>
      </Section>
      <Section
        id="try"
        title="Preview"
        about="Open a sample site with the chat, or the chat page that you can link to. Messages you write there start a real conversation."
      >
        <div className="flex flex-wrap gap-3 p-5">
          <NewTab href={view.tryPath}>Open the sample site</NewTab>
          <NewTab href={view.chatPath}>Open the chat page</NewTab>
        </div>
      </Section>
      <Section
        id="files"
        title="Files"
        about="Files from contacts are stored with the conversation and count towards the workspace’s storage."
      >
        <FileUsage {...view.files} />
      </Section>
    </div>
  );
}

function NewTab({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
      {children}
      <ExternalLink aria-hidden size={15} />
      <span className="sr-only">(opens a new tab)</span>
    </a>
  );
}

type Props = { usedBytes: number; quotaBytes: number };

/** Share of the storage from which a warning is shown. */
const NEARLY_FULL = 0.9;

/** Storage used by the workspace's files, with a warning when it is almost full. */
function FileUsage({ usedBytes, quotaBytes }: Props) {
  const share = Math.min(1, usedBytes / quotaBytes);
  const usage = `${formatSize(usedBytes)} of ${formatSize(quotaBytes)} used`;
  return (
    <div className="grid gap-2 p-5">
      <p className="tabular text-list">{usage}</p>
      <div
        role="img"
        aria-label={usage}
        className="h-2 overflow-hidden rounded-sm border border-line-control"
      >
        <div
          className={cx('h-full', share < NEARLY_FULL ? 'bg-accent' : 'bg-danger')}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {share < NEARLY_FULL ? null : <p className="text-danger-ink text-list">{warning(share)}</p>}
    </div>
  );
}

function warning(share: number): string {
  const what =
    share < 1 ? 'File storage is almost full. Once it is full, visitors' : 'File storage is full. Visitors';
  return `${what} can still write but not send files. Ask your administrator for more storage.`;
}
