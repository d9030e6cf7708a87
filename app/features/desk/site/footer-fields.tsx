import { getDefaultFooter } from '~/ui/site-footer'
import { useSubmittedValues } from '../desk-context'

type FooterLink = { label: string; to: string }
type FooterColumn = { title: string; links: readonly FooterLink[] }
/** The largest numbers of columns, and of links in a column. */
type FooterLimits = { columns: number; links: number }

const controlClasses = 'min-h-11 rounded-control border border-edge bg-surface py-2 text-ink'
const fieldClasses = `block w-full px-3 ${controlClasses}`

/**
 * Shows the fields of the footer's columns, each with some empty rows for more links.
 *
 * @param columns null for Learnify's own footer
 */
export function FooterFields({
  columns,
  siteName,
  limits,
}: {
  columns: readonly FooterColumn[] | null
  siteName: string
  limits: FooterLimits
}) {
  const displayedColumns = columns ?? listDefaultColumns(siteName)

  return (
    <>
      <p className="text-muted">
        An address begins with / for a page of this site, like /Pages/about, or with https://. Empty
        rows are left out. If everything is empty, the footer is Learnify’s own. To move a link,
        choose another number.
      </p>
      <div className="grid gap-6">
        {listIndexes(limits.columns).map((columnIndex) => (
          <ColumnFields
            key={columnIndex}
            columnIndex={columnIndex}
            column={displayedColumns[columnIndex] ?? { title: '', links: [] }}
            maxLinks={limits.links}
          />
        ))}
      </div>
      <datalist id="site-addresses">
        {suggestedPaths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  )
}

function listDefaultColumns(siteName: string): FooterColumn[] {
  return getDefaultFooter(siteName).map(({ title, links }) => ({
    title,
    links: links.map(([label, to]) => ({ label, to })),
  }))
}

/** Lists the numbers from 0 to `count - 1`. */
function listIndexes(count: number): number[] {
  return [...Array(count).keys()]
}

const suggestedPaths = [
  '/',
  '/AllCourses',
  '/OneCourse',
  '/Instructor',
  '/Profile',
  '/Privacy',
  '/Terms',
]

/** The number of empty rows for more links in each column. */
const emptyRowCount = 2

type ColumnFieldsProps = { columnIndex: number; column: FooterColumn; maxLinks: number }

function ColumnFields({ columnIndex, column, maxLinks }: ColumnFieldsProps) {
  const submittedValues = useSubmittedValues('footer')
  const { title, links } = column
  const rowCount = Math.min(maxLinks, links.length + emptyRowCount)

  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium">Column {columnIndex + 1}</legend>
      <input
        aria-label={`Heading of column ${columnIndex + 1}`}
        name={`title-${columnIndex}`}
        defaultValue={submittedValues?.[`title-${columnIndex}`] ?? title}
        placeholder="Heading"
        maxLength={40}
        className={`${fieldClasses} mb-2 font-bold`}
      />
      <ul className="grid gap-2">
        {listIndexes(rowCount).map((rowIndex) => (
          <LinkFields
            key={rowIndex}
            columnIndex={columnIndex}
            rowIndex={rowIndex}
            rowCount={rowCount}
            link={links[rowIndex]}
          />
        ))}
      </ul>
    </fieldset>
  )
}

type LinkFieldsProps = {
  columnIndex: number
  rowIndex: number
  /** The number of rows in the column, which are the places that the link can move to. */
  rowCount: number
  /** Undefined for an empty row. */
  link: FooterLink | undefined
}

function LinkFields({ columnIndex, rowIndex, rowCount, link }: LinkFieldsProps) {
  const submittedValues = useSubmittedValues('footer')
  const label = `Column ${columnIndex + 1}, link ${rowIndex + 1}`
  const nameSuffix = `${columnIndex}-${rowIndex}`

  return (
    <li className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-2">
      <input
        aria-label={`${label}: words`}
        name={`label-${nameSuffix}`}
        defaultValue={submittedValues?.[`label-${nameSuffix}`] ?? link?.label}
        placeholder="Words"
        maxLength={60}
        className={fieldClasses}
      />
      <input
        aria-label={`${label}: address`}
        name={`to-${nameSuffix}`}
        defaultValue={submittedValues?.[`to-${nameSuffix}`] ?? link?.to}
        placeholder="Address"
        maxLength={300}
        list="site-addresses"
        className={fieldClasses}
      />
      <select
        aria-label={`${label}: place`}
        name={`place-${nameSuffix}`}
        defaultValue={submittedValues?.[`place-${nameSuffix}`] ?? rowIndex + 1}
        className={`px-2 ${controlClasses}`}
      >
        {listIndexes(rowCount).map((index) => (
          <option key={index} value={index + 1}>
            {index + 1}
          </option>
        ))}
      </select>
    </li>
  )
}
