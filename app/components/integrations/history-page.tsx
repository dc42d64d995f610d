import Link from 'next/link';
import type { ReactNode } from 'react';
import { IntegrationsNotAllowed } from '#app/components/integrations/integrations-not-allowed.tsx';
import { BackLink } from '#app/components/ui/back-link.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';
import type { HistoryPage as Page } from '#server/screens/integrations/views.ts';
import { pageContext } from '#server/screens/page-context.ts';

type Connections = Awaited<ReturnType<typeof getScreens>>['connections'];

type Props<Item> = {
  title: string;
  about: (names: { workspaceName: string; platformName: string }) => string;
  /** Path of this page. Its query string contains the cursor. */
  path: string;
  searchParams: Query;
  load: (connections: Connections, page: { cursor: string | undefined }) => Promise<Page<Item>>;
  show: (items: Item[]) => ReactNode;
  /** Text of an empty list. */
  empty: string;
};

/** A paginated list of connections or audit entries, or a refusal for teammates without access. */
export async function HistoryPage<Item>({
  title,
  about,
  path,
  searchParams,
  load,
  show,
  empty,
}: Props<Item>) {
  const cursor = firstParam((await searchParams).before);
  const { workspace } = await requireWorkspace(path);
  const { connections } = await getScreens();
  if (!(await connections.mayManage())) {
    return (
      <PageBody>
        <h1 className="sr-only">{title}</h1>
        <IntegrationsNotAllowed role={workspace.role} workspaceName={workspace.name} />
      </PageBody>
    );
  }
  const { items, older } = await load(connections, { cursor });
  const { platformName } = pageContext();
  return (
    <PageBody>
      <BackLink href="/settings/integrations">Integrations</BackLink>
      <PageHeader title={title}>{about({ workspaceName: workspace.name, platformName })}</PageHeader>
      {items.length > 0 ? (
        show(items)
      ) : (
        <Card>
          <p className="px-5 py-4 text-ink-soft">{empty}</p>
        </Card>
      )}
      <Pages title={title} path={path} isNewest={cursor === undefined} older={older} />
    </PageBody>
  );
}

type PagesProps = { title: string; path: string; isNewest: boolean; older: string | null };

/** Links to the newest and the next older page, if there is more than one page. */
function Pages({ title, path, isNewest, older }: PagesProps) {
  if (isNewest && !older) return null;
  return (
    <nav aria-label={`Pages of: ${title}`} className="mt-4 flex justify-between gap-2">
      {isNewest ? (
        <span />
      ) : (
        <Link href={path} className={buttonClass('secondary')}>
          Newest
        </Link>
      )}
      {older ? (
        <Link href={`${path}?${new URLSearchParams({ before: older })}`} className={buttonClass('secondary')}>
          Older
        </Link>
      ) : null}
    </nav>
  );
}
