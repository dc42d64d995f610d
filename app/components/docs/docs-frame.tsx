import Link from 'next/link';
import type { ReactNode } from 'react';
import type { NavGroup } from '#app/components/docs/nav-groups.ts';
import { DocsMenu, SectionNav } from '#app/components/docs/section-nav.tsx';
import { ServiceLogo } from '#app/components/ui/service-logo.tsx';

type Props = { serviceName: string; documentUrl: string; groups: NavGroup[]; children: ReactNode };

/** Page layout of the public documentation: top bar and table of contents. */
export function DocsFrame({ serviceName, documentUrl, groups, children }: Props) {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-[90rem] items-center gap-3 px-4 max-sm:px-2 lg:px-6">
          <DocsMenu groups={groups} />
          <ServiceLogo />
          <p className="flex min-w-0 grow items-baseline gap-2">
            <span className="truncate font-semibold max-sm:hidden">{serviceName}</span>
            <span className="truncate text-ink-soft max-sm:font-semibold max-sm:text-ink">
              API documentation
            </span>
          </p>
          <a
            href={documentUrl}
            className="inline-flex min-h-9 shrink-0 items-center rounded-lg px-2 text-ink-soft text-list hover:bg-hover hover:text-ink max-md:min-h-11"
          >
            <span className="max-sm:hidden">OpenAPI document</span>
            <span className="sm:hidden">OpenAPI</span>
          </a>
          <Link
            href="/inbox"
            prefetch={false}
            className="inline-flex min-h-9 shrink-0 items-center rounded-lg px-2 text-ink-soft text-list hover:bg-hover hover:text-ink max-md:min-h-11"
          >
            Inbox
          </Link>
        </div>
      </header>
      <div className="mx-auto grid max-w-[90rem] grid-cols-[minmax(0,1fr)] lg:grid-cols-[16rem_minmax(0,1fr)]">
        <aside
          aria-label="Contents"
          className="scroll-pane sticky top-14 h-[calc(100dvh-3.5rem)] self-start border-r py-2 max-lg:hidden"
        >
          <SectionNav groups={groups} />
        </aside>
        <main
          id="content"
          tabIndex={-1}
          className="min-w-0 bg-surface px-10 pb-24 outline-none max-lg:px-6 max-sm:px-4"
        >
          {children}
        </main>
      </div>
    </>
  );
}
