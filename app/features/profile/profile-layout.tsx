import {
  BookOpen,
  ChevronDown,
  ClipboardCheck,
  LayoutDashboard,
  type LucideIcon,
  Medal,
  Settings,
  UserRound,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { Avatar } from '~/ui/avatar'
import { ButtonLink } from '~/ui/button'
import { useHydrated } from '~/ui/hooks'
import { Notice } from '~/ui/notice'
import { profileMessages } from './profile-messages'

/** The sections of the profile, in the order of the sidebar. The path of the first is /Profile. */
export const profileSections = [
  { id: 'overview', label: 'Overview' },
  { id: 'personal-info', label: 'Personal Info' },
  { id: 'current-courses', label: 'Current Courses' },
  { id: 'exam-scores', label: 'Exam Scores' },
  { id: 'achievements', label: 'Achievements' },
  { id: 'settings', label: 'Settings' },
] as const

type ProfileSection = (typeof profileSections)[number]
type ProfileSectionId = ProfileSection['id']

/** Returns the section of a path below /Profile, or null if there is none. */
export function findProfileSection(pathname: string): ProfileSection | null {
  const sectionId = pathname.split('/')[2] || 'overview'
  return profileSections.find(({ id }) => id === sectionId) ?? null
}

export function getProfileSectionPath(id: ProfileSectionId): string {
  return id === 'overview' ? '/Profile' : `/Profile/${id}`
}

const sectionIcons: Record<ProfileSectionId, LucideIcon> = {
  overview: LayoutDashboard,
  'personal-info': UserRound,
  'current-courses': BookOpen,
  'exam-scores': ClipboardCheck,
  achievements: Medal,
  settings: Settings,
}

type ProfileLayoutProps = {
  learner: { displayName: string; photoURL: string | null }
  /** A line such as 'Joined May 2026'. */
  joinedText: string
  /** Null if the URL names no section. */
  section: ProfileSection | null
  logoutButton: ReactNode
  children: ReactNode
}

/**
 * Lays out a page of the profile, with its sections in a sidebar. On phones, a button opens the
 * sidebar.
 */
export function ProfileLayout({
  learner,
  joinedText,
  section,
  logoutButton,
  children,
}: ProfileLayoutProps) {
  const [isOpen, setIsOpen] = useState(false)
  const isHydrated = useHydrated()

  return (
    <div className="column grid gap-6 pt-6 lg:grid-cols-[15.5rem_minmax(0,1fr)] lg:gap-10 lg:pt-10">
      <div className="lg:sticky lg:top-24 lg:self-start">
        <button
          type="button"
          disabled={!isHydrated}
          aria-expanded={isOpen}
          aria-controls="profile-sidebar"
          onClick={() => setIsOpen(!isOpen)}
          className="card flex min-h-14 w-full items-center gap-3 px-4 text-left font-semibold lg:hidden noscript:hidden"
        >
          <span className="sr-only">Profile menu: </span>
          <span className="flex-1">{section?.label ?? 'Profile'}</span>
          <ChevronDown
            aria-hidden="true"
            size={20}
            className={`text-muted transition-transform duration-150 ${isOpen ? 'rotate-180' : ''}`}
          />
        </button>
        <div
          id="profile-sidebar"
          className={`card mt-2 p-3 lg:mt-0 lg:block noscript:block ${isOpen ? 'block' : 'hidden'}`}
        >
          <div className="flex items-center gap-3 px-2 pt-2 pb-4">
            <Avatar src={learner.photoURL} name={learner.displayName} size={56} />
            <div className="min-w-0">
              <p className="line-clamp-2 font-semibold leading-snug">
                <bdi>{learner.displayName}</bdi>
              </p>
              <p className="text-muted text-sm">{joinedText}</p>
            </div>
          </div>
          <SectionLinks currentId={section?.id ?? null} onChoose={() => setIsOpen(false)} />
          <div className="mt-3 border-line border-t pt-3">{logoutButton}</div>
        </div>
      </div>
      <div className="min-w-0">{children}</div>
    </div>
  )
}

type SectionLinksProps = { currentId: ProfileSectionId | null; onChoose(): void }

function SectionLinks({ currentId, onChoose }: SectionLinksProps) {
  return (
    <nav aria-label="Profile">
      <ul className="grid gap-1">
        {profileSections.map(({ id, label }) => {
          const Icon = sectionIcons[id]
          return (
            <li key={id}>
              <Link
                to={getProfileSectionPath(id)}
                aria-current={id === currentId ? 'page' : undefined}
                onClick={onChoose}
                className="flex min-h-11 items-center gap-3 rounded-control px-3.5 font-medium text-muted no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong"
              >
                <Icon aria-hidden="true" size={18} className="shrink-0" />
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

type SectionHeadingProps = { children: ReactNode; intro?: ReactNode; action?: ReactNode }

/** Shows the heading of a section, with a sentence about its content. */
export function SectionHeading({ children, intro, action }: SectionHeadingProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 lg:mb-8">
      <div className="min-w-0">
        <h1 className="title">{children}</h1>
        {intro && <p className="mt-2 max-w-2xl text-muted">{intro}</p>}
      </div>
      {action}
    </header>
  )
}

/** Says that the learner's record could not be loaded, and links to the same page to try again. */
export function RecordErrorNotice() {
  return (
    <Notice variant="bad">
      We couldn’t load your learning record. Nothing is lost.{' '}
      <Link to="." reloadDocument className="underline">
        Try again
      </Link>
    </Notice>
  )
}

/** The page for a URL that names no section of the profile. */
export function SectionNotFound() {
  return (
    <>
      <SectionHeading intro={profileMessages.sectionNotFound.text}>
        {profileMessages.sectionNotFound.heading}
      </SectionHeading>
      <ButtonLink to="/Profile">Go to Overview</ButtonLink>
    </>
  )
}
