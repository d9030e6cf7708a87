import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { Button } from '~/ui/button'

type Credentials = { email: string; password: string }

/** The shared account for looking around; hidden once it has filled the form. */
export function DemoCredentials({ demo, onFill }: { demo: Credentials | null; onFill(demo: Credentials): void }) {
  const [used, setUsed] = useState(false)
  if (!demo || used) return null
  return (
    <section aria-labelledby="demo-title" className="mt-8 rounded-card border border-line border-dashed bg-sunken p-5">
      <h2 id="demo-title" className="flex items-center gap-2 font-bold">
        <Sparkles aria-hidden="true" size={18} className="text-accent" /> Demo credentials
      </h2>
      <p className="mt-1 text-muted text-sm">Look around as a learner with six months of progress.</p>
      <div className="mt-3 flex flex-wrap items-end justify-between gap-4">
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <dt className="text-muted">Email</dt>
          <dd className="font-medium">{demo.email}</dd>
          <dt className="text-muted">Password</dt>
          <dd className="font-medium">{demo.password}</dd>
        </dl>
        <Button
          look="secondary"
          className="noscript:hidden"
          onClick={() => {
            onFill(demo)
            setUsed(true)
          }}
        >
          Use demo credentials
        </Button>
      </div>
    </section>
  )
}
