import { useEffect, useRef, useState } from 'react'

/** The sections of the settings, by their id on the page, in its order. */
const sections = [
  { id: 'profile', label: 'Profile' },
  { id: 'security', label: 'Security' },
  { id: 'study', label: 'Study' },
  { id: 'email', label: 'Email' },
  { id: 'appearance', label: 'Appearance' },
  { id: 'own-data', label: 'Data' },
] as const

type SectionId = (typeof sections)[number]['id']

/** Leads to each section, and stays in view; on a phone it is one row that scrolls. */
export function SettingsNavigation() {
  const row = useRef<HTMLUListElement>(null)
  const current = useSectionInView()
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (link) {
      row.current?.scrollTo({ left: link.offsetLeft - 16 })
    }
  })

  return (
    <nav
      aria-label="Settings"
      className="sticky top-16 z-20 -mx-1 mb-6 border-line border-b bg-canvas px-1 pt-1"
    >
      <ul ref={row} className="relative flex gap-1 overflow-x-auto py-1.5 [scrollbar-width:none]">
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'true' : undefined}
              className="flex min-h-11 items-center whitespace-nowrap rounded-control px-3.5 font-medium text-muted no-underline hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The section at the upper third of the window; the last one at the end of the page. */
function useSectionInView(): SectionId {
  const [current, setCurrent] = useState<SectionId>('profile')
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement
      const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 1
      const reached = sections.findLast(({ id }) => {
        const top =
          document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY
        return isAtEnd || top <= window.innerHeight / 3
      })

      setCurrent(reached?.id ?? 'profile')
    }

    look()
    window.addEventListener('scroll', look, { passive: true })

    return () => window.removeEventListener('scroll', look)
  }, [])

  return current
}
