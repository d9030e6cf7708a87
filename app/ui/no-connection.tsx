import { WifiOff } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Button } from './button'
import { useOnline } from './connection'
import { siteName } from './site-name'

/** Instead of a page that could not be fetched: no network here, or no answer from the server. */
export function NoConnection({ children }: { children?: ReactNode }) {
  const online = useOnline()
  useEffect(() => {
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  const heading = online ? `We can’t reach ${siteName()}` : 'You’re offline'

  return (
    <div className="column flex flex-col items-center py-24 text-center">
      <title>{`${heading} · ${siteName()}`}</title>
      <WifiOff aria-hidden="true" size={40} className="text-muted" />
      <h1 className="title mt-5">{heading}</h1>
      <div role="status" className="mx-auto mt-4 grid max-w-lg gap-2 text-muted">
        <p>
          {online
            ? `${siteName()} isn’t responding right now. Please try again in a moment.`
            : 'This page will load as soon as you’re back online.'}
        </p>
        {children}
      </div>
      <Button className="mt-8" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </div>
  )
}
