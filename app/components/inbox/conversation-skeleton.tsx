import { Skeleton } from '#app/components/ui/skeleton.tsx';

/** The conversation pane while it is fetched. */
export function ConversationSkeleton() {
  return (
    <div role="status" className="flex min-w-0 grow flex-col">
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
