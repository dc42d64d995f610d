import Link from 'next/link';
import { AuditList } from '#app/components/integrations/history-sections.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { getScreens } from '#app/data/session.ts';

const PATH = '/settings/audit-log';

type Filter = { about: string; person: string; from: string; to: string };

/** The filtered audit log, page by page, and its download. Works without scripts. */
export async function AuditLog({ filter, before }: { filter: Filter; before: string | undefined }) {
  const { audit } = await getScreens();
  const [topics, { items, older }] = await Promise.all([
    audit.topics(),
    audit.list({ ...filter, cursor: before }),
  ]);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <form action={PATH} className="filter-grid md:grid-cols-[1.3fr_1.3fr_1fr_1fr_auto]">
        <Field label="About">
          {({ id }) => (
            <Select id={id} name="about" defaultValue={filter.about}>
              <option value="">Everything</option>
              {topics.map((topic) => (
                <option key={topic.id} value={topic.id}>
                  {topic.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Person or program">
          {({ id }) => (
            <Input id={id} name="person" defaultValue={filter.person} placeholder="Part of the name" />
          )}
        </Field>
        <Field label="From (UTC)">
          {({ id }) => <Input id={id} type="date" name="from" defaultValue={filter.from} />}
        </Field>
        <Field label="To (UTC)">
          {({ id }) => <Input id={id} type="date" name="to" defaultValue={filter.to} />}
        </Field>
        <div className="flex gap-1 max-md:col-span-full">
          <Button type="submit" variant="secondary" className="max-md:grow">
            Filter
          </Button>
          {isFiltered ? (
            <Link href={PATH} className={buttonClass('quiet')}>
              Clear
            </Link>
          ) : null}
        </div>
      </form>
      <Card>
        {items.length > 0 ? (
          <AuditList entries={items} />
        ) : (
          <p className="px-5 py-4 text-ink-soft">
            {isFiltered ? 'Nothing matches the filter.' : 'No entries yet.'}
          </p>
        )}
      </Card>
      <nav aria-label="Pages of the audit log" className="flex flex-wrap justify-between gap-2">
        {/* A download, which Next.js must not load as a page. */}
        <a href={`${PATH}.csv${queryOf(filter)}`} download className={buttonClass('secondary')}>
          Download as CSV
        </a>
        <span className="flex gap-2">
          {before === undefined ? null : (
            <Link href={`${PATH}${queryOf(filter)}`} className={buttonClass('secondary')}>
              Newest
            </Link>
          )}
          {older === null ? null : (
            <Link
              href={`${PATH}${queryOf({ ...filter, before: older })}`}
              className={buttonClass('secondary')}
            >
              Older
            </Link>
          )}
        </span>
      </nav>
    </div>
  );
}

function queryOf(parameters: Record<string, string>): string {
  const set = Object.entries(parameters).filter(([, value]) => value !== '');
  return set.length > 0 ? `?${new URLSearchParams(set)}` : '';
}
