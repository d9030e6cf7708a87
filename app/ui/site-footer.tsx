import { Link } from 'react-router'
import { Logo } from './logo'

/** Links without a page of their own yet are placeholder anchors, as the specification has them. */
const columns = [
  {
    title: 'Learn',
    links: [
      ['All courses', '/AllCourses'],
      ['Sample course', '/OneCourse'],
      ['Your profile', '/Profile'],
    ],
  },
  {
    title: 'Teach',
    links: [
      ['Become an instructor', '/Instructor'],
      ['Teaching guide', '#'],
      ['Community', '#'],
    ],
  },
  {
    title: 'Learnify',
    links: [
      ['About', '#'],
      ['Help', '#'],
      ['Privacy', '/Privacy'],
      ['Terms', '/Terms'],
    ],
  },
] as const

const link = 'inline-flex min-h-8 items-center text-muted hover:text-ink hover:underline'

export function SiteFooter() {
  return (
    <footer className="print:hidden mt-24 border-t border-line bg-sunken">
      <div className="column grid grid-cols-2 gap-10 py-14 md:grid-cols-[2fr_repeat(3,1fr)]">
        <div className="col-span-2 md:col-span-1">
          <Logo />
          <p className="mt-4 max-w-xs text-muted">Learn whatever you want, at your own pace.</p>
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="mb-3 text-sm font-bold tracking-normal">{title}</h2>
            <ul>
              {links.map(([label, to]) => (
                <li key={label}>
                  {to === '#' ? (
                    // biome-ignore lint/a11y/useValidAnchor: the specification asks for placeholder anchors.
                    <a href="#" className={link}>
                      {label}
                    </a>
                  ) : (
                    <Link to={to} className={link}>
                      {label}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <p className="column border-t border-line py-6 text-sm text-muted">
        © Learnify. Free software under the MIT license.
      </p>
    </footer>
  )
}
