import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'

/** One sentence about what just happened; read out when it appears. */
export function Notice({ look, children }: { look: 'good' | 'bad'; children: ReactNode }) {
  const Icon = look === 'good' ? CircleCheck : CircleAlert
  return (
    <div
      role={look === 'good' ? 'status' : 'alert'}
      className={`flex items-start gap-3 rounded-control px-4 py-3 font-medium ${look === 'good' ? 'bg-good-soft text-good' : 'bg-bad-soft text-bad'}`}
    >
      <Icon aria-hidden="true" size={20} className="mt-0.5 shrink-0" />
      <p>{children}</p>
    </div>
  )
}
