import { Link } from 'react-router'
import { type FooterColumn, useBrand } from './brand'
import { Logo } from './logo'
import { shippedName } from './site-name'

const linkClass = 'inline-flex min-h-8 items-center text-muted hover:text-ink hover:underline'

export function SiteFooter() {
  const {
    name,
    description = 'Learn whatever you want, at your own pace.',
    footer = getDefaultFooter(name),
  } = useBrand()

  return (
    <footer className="print:hidden mt-24 border-t border-line bg-sunken">
      <div className="column grid grid-cols-2 gap-10 py-14 md:grid-cols-[2fr_repeat(3,1fr)]">
        <div className="col-span-2 md:col-span-1">
          <Logo />
          <p className="mt-4 max-w-xs text-muted">{description}</p>
        </div>
        {footer.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="mb-3 text-sm font-bold tracking-normal">{title}</h2>
            <ul>
              {links.map(([label, to]) => (
                <li key={label}>
                  {to.startsWith('/') ? (
                    <Link to={to} className={linkClass}>
                      {label}
                    </Link>
                  ) : (
                    // A plain anchor, because the specification asks for placeholder anchors.
                    <a href={to} className={linkClass}>
                      {label}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <p className="column border-t border-line py-6 text-sm text-muted">
        {name === shippedName
          ? '© Learnify. Free software under the MIT license.'
          : `© ${name}. Made with Learnify, free software under the MIT license.`}
      </p>
    </footer>
  )
}

/**
 * Returns the columns of a school that has set no others. Links without a page are placeholder
 * anchors, as the specification asks for.
 */
export function getDefaultFooter(name: string): readonly FooterColumn[] {
  return [
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
      title: name,
      links: [
        ['About', '#'],
        ['Help', '#'],
        ['Privacy', '/Privacy'],
        ['Terms', '/Terms'],
      ],
    },
  ]
}
