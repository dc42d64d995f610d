import { Skeleton } from '#app/components/ui/skeleton.tsx';

const rows = ['a', 'b', 'c', 'd', 'e', 'f'];

export function ListSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading conversations</span>
      <div className="border-b px-4 pt-1 pb-4">
        <Skeleton className="w-3/4" />
      </div>
      {rows.map((row) => (
        <RowSkeleton key={row} />
      ))}
    </div>
  );
}

export function RowSkeleton() {
  return (
    <div className="grid h-17.75 content-center gap-2 border-b pr-4 pl-7">
      <Skeleton className="w-2/5" />
      <Skeleton className="w-4/5" />
      <Skeleton className="w-1/3" />
    </div>
  );
}

export function ConversationSkeleton() {
  return (
    <div role="status" data-opening className="flex min-w-0 grow flex-col">
      <span className="sr-only">Loading the conversation</span>
      <div className="grid gap-2.5 border-b px-5 py-4">
        <Skeleton className="w-1/2" />
        <Skeleton className="w-1/4" />
      </div>
      <div className="grid gap-6 px-5 py-6">
        <Skeleton className="h-16 w-3/5" />
        <Skeleton className="h-12 w-1/2 justify-self-end" />
        <Skeleton className="h-20 w-2/3" />
      </div>
    </div>
  );
}
