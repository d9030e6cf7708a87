import type { LucideIcon } from 'lucide-react'
import { Children, type ReactNode } from 'react'

type SavedListProps = { id: string; title: string; icon: LucideIcon; empty: string; children: ReactNode }

/** What a learner put aside, each a list item; or how to put something there. */
export function SavedList({ id, title, icon: Icon, empty, children }: SavedListProps) {
  const count = Children.count(children)
  return (
    <section className="mt-10" aria-labelledby={id}>
      <h2 id={id} className="mb-4 font-bold text-lg">
        {title} <span className="font-medium text-muted">{count}</span>
      </h2>
      {count === 0 ? (
        <p className="flex items-center gap-3 rounded-card border border-edge border-dashed p-5 text-muted">
          <Icon aria-hidden="true" size={20} className="shrink-0" />
          {empty}
        </p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2">{children}</ul>
      )}
    </section>
  )
}
