import { useNavigation } from 'react-router'

/**
 * Fills the window while the session is being determined, so that nothing in sight moves when the
 * page appears. Pages without scripts do not wait.
 */
export function LoadingScreen({ children }: { children: string }) {
  return (
    <div
      role="status"
      className="column grid min-h-[calc(100dvh-4rem)] place-content-center justify-items-center gap-5 noscript:hidden"
    >
      <svg aria-hidden="true" viewBox="0 0 48 48" className="size-12 animate-spin">
        <circle cx="24" cy="24" r="20" fill="none" strokeWidth="5" className="stroke-line" />
        <path
          d="M24 4a20 20 0 0 1 20 20"
          fill="none"
          strokeWidth="5"
          strokeLinecap="round"
          className="stroke-accent"
        />
      </svg>
      <p className="font-medium text-muted">{children}</p>
    </div>
  )
}

/** Shows a thin line at the top while the next page loads. The line appears after a short delay. */
export function NavigationLine() {
  const { state } = useNavigation()
  if (state === 'idle') {
    return null
  }

  return (
    <div
      aria-hidden="true"
      data-navigation-line
      className="pointer-events-none fixed inset-x-0 top-0 z-50 origin-left animate-under-way border-accent border-t-3 print:hidden"
    />
  )
}
