// A page that is already a complete document, such as slides, or a file that is no page.
import { pageAt, theSite } from '../lib/current.js';

export default ({ address }) => pageAt(address)?.html ?? theSite().texts.get(address);
