import { useNavigation } from 'react-router'

/** A thin line at the top while the next page loads; it appears only after a moment. */
export function NavigationLine() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <div
      aria-hidden="true"
      data-navigation-line
      className="pointer-events-none fixed inset-x-0 top-0 z-50 origin-left animate-under-way border-accent border-t-3 print:hidden"
    />
  )
}
