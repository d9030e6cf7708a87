import type { ReactNode } from 'react'

type EmptyStateProps = {
  icon: ReactNode
  title: string
  /** A sentence that explains why the list is empty. */
  children: ReactNode
  /** The link or button for the next step. */
  action?: ReactNode
}

/** Replaces an empty list with an explanation and the next step. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center justify-center rounded-card border border-dashed border-edge px-6 py-14 text-center">
      <div
        aria-hidden="true"
        className="mb-4 grid size-14 place-items-center rounded-full bg-accent-soft text-accent"
      >
        {icon}
      </div>
      <p className="text-lg font-semibold">{title}</p>
      <p className="mt-1 max-w-md text-muted">{children}</p>
      {action && <div className="mt-6">{action}</div>}
    </div>
  )
}
