import { WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from './button'

/** Instead of a page that could not be fetched; it comes by itself once the network is back. */
export function NoConnection() {
  useEffect(() => {
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  return (
    <div className="column flex flex-col items-center py-24 text-center">
      <WifiOff aria-hidden="true" size={40} className="text-muted" />
      <h1 className="title mt-5">No connection</h1>
      <p role="status" className="mx-auto mt-4 max-w-lg text-muted">
        This page could not be fetched. What you did in a lesson is kept on this device and sent once you are connected.
      </p>
      <Button className="mt-8" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </div>
  )
}
