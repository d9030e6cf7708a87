import type { ReactNode } from 'react'

/** An empty list: an explanation and the next step. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode
  title: string
  children: ReactNode
  action?: ReactNode
}) {
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
