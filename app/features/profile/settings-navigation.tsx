import { useEffect, useRef, useState } from 'react'

/** The sections of the settings page, in its order. Each ID is the ID of an HTML element. */
const sections = [
  { id: 'profile', label: 'Profile' },
  { id: 'security', label: 'Security' },
  { id: 'study', label: 'Study' },
  { id: 'email', label: 'Email' },
  { id: 'appearance', label: 'Appearance' },
  { id: 'own-data', label: 'Data' },
] as const

type SectionId = (typeof sections)[number]['id']

/**
 * Links to each section of the settings. The row of links stays at the top of the window. On a
 * phone, it scrolls sideways to the link of the current section.
 */
export function SettingsNavigation() {
  const linkList = useRef<HTMLUListElement>(null)
  const currentSection = useSectionInView()

  useEffect(() => {
    const currentLink = linkList.current?.querySelector<HTMLElement>('[aria-current]')
    if (currentLink) {
      linkList.current?.scrollTo({ left: currentLink.offsetLeft - 16 })
    }
  })

  return (
    <nav
      aria-label="Settings"
      className="sticky top-16 z-20 -mx-1 mb-6 border-line border-b bg-canvas px-1 pt-1"
    >
      <ul
        ref={linkList}
        className="relative flex gap-1 overflow-x-auto py-1.5 [scrollbar-width:none]"
      >
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === currentSection ? 'true' : undefined}
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

/**
 * Returns the last section that has reached the upper third of the window. At the end of the page,
 * it is the last section.
 */
function useSectionInView(): SectionId {
  const [currentSection, setCurrentSection] = useState<SectionId>('profile')

  useEffect(() => {
    const updateCurrentSection = () => setCurrentSection(findSectionInView())

    updateCurrentSection()
    window.addEventListener('scroll', updateCurrentSection, { passive: true })

    return () => window.removeEventListener('scroll', updateCurrentSection)
  }, [])

  return currentSection
}

function findSectionInView(): SectionId {
  const { scrollHeight } = document.documentElement
  const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 1
  if (isAtEnd) {
    return 'own-data'
  }

  const sectionInView = sections.findLast(({ id }) => {
    const element = document.getElementById(id)
    return element !== null && element.getBoundingClientRect().top <= window.innerHeight / 3
  })

  return sectionInView?.id ?? 'profile'
}
