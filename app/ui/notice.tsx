import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const variants = {
  good: { Icon: CircleCheck, colors: 'bg-good-soft text-good', role: 'status' },
  bad: { Icon: CircleAlert, colors: 'bg-bad-soft text-bad', role: 'alert' },
  warn: { Icon: TriangleAlert, colors: 'bg-warn-soft text-warn', role: undefined },
  info: { Icon: Info, colors: 'bg-accent-soft text-ink', role: undefined },
} as const

type NoticeProps = {
  variant: keyof typeof variants
  /**
   * Screen readers announce good and bad notices when they appear. A silent notice is not
   * announced, because something else announces it.
   */
  silent?: boolean
  /** A link or button for what the reader can do. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

/** Shows one or two sentences about an event or the current status. */
export function Notice({ variant, silent = false, action, className = '', children }: NoticeProps) {
  const { Icon, colors, role } = variants[variant]
  return (
    <div
      role={silent ? undefined : role}
      className={`flex flex-wrap items-center gap-x-5 gap-y-3 rounded-control px-4 py-3 ${colors} ${className}`}
    >
      <div className="flex min-w-52 flex-1 items-start gap-3">
        <Icon aria-hidden="true" size={20} className="mt-0.5 shrink-0" />
        <p className="min-w-0 flex-1">{children}</p>
      </div>
      {action}
    </div>
  )
}
