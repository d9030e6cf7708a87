import { Link } from 'react-router'
import { Field } from '~/ui/field'
import type { DataOf } from '../desk-pages.server'
import { DeskTitle, Section, useTyped } from '../desk-parts'
import { AccentFields } from './accent-fields'
import { FooterFields } from './footer-fields'
import { SitePart } from './site-parts'

export function SiteView({ values, texts, changes, accent, contrast, siteName, footerLimits }: DataOf<'site'>) {
  const part = (name: keyof typeof texts) => ({ part: name, ...texts[name], change: changes[name] })
  return (
    <>
      <DeskTitle
        intro="How the school presents itself. A change shows within two seconds, and can be undone."
        side={
          <Link to="/Desk/Site/History" className="link">
            All changes
          </Link>
        }
      >
        Site
      </DeskTitle>
      <Section title="Name and look">
        <div className="grid gap-3">
          <SitePart {...part('name')}>
            <TextField
              act="name"
              label="Name of the school"
              value={values.name}
              maxLength={60}
              hint="In the header, titles, emails, certificates and shared links. Empty for Learnify."
            />
          </SitePart>
          <SitePart {...part('description')}>
            <TextField
              act="description"
              label="Description"
              value={values.description}
              maxLength={200}
              hint="For search engines and shared links, and in the footer. About 160 characters are shown."
            />
          </SitePart>
          <SitePart {...part('accent')}>
            <AccentFields accent={accent} contrast={contrast} />
          </SitePart>
          <SitePart {...part('footer')}>
            <FooterFields columns={values.footer} siteName={siteName} limits={footerLimits} />
          </SitePart>
        </div>
      </Section>
    </>
  )
}

type TextFieldProps = { act: string; label: string; value: string | null; maxLength: number; hint: string }

function TextField({ act, value, ...field }: TextFieldProps) {
  const typed = useTyped(act)
  return <Field {...field} name={act} defaultValue={typed?.[act] ?? value ?? ''} autoComplete="off" />
}
