# names.jq: compares and shows the names of learners, which come from rosters, folders and archives.

# The letters that Unicode can write in two ways, as one character (NFC) or as a letter and a mark (NFD, as a
# Mac does): by the mark's number, pairs of a letter and that letter with the mark. These are Unicode's
# canonical compositions of marks U+0300 to U+036F and of the Japanese sound marks; `composed` adds Korean.
def marks: {
  "768": ("AÀEÈIÌOÒUÙaàeèiìoòuùÜǛüǜNǸnǹЕЀИЍеѐиѝĒḔēḕŌṐōṑWẀwẁÂẦâầĂẰăằÊỀêềÔỒôồƠỜơờƯỪưừYỲyỳἀἂἁἃἈἊἉἋἐἒἑἓἘἚἙἛ"
    + "ἠἢἡἣἨἪἩἫἰἲἱἳἸἺἹἻὀὂὁὃὈὊὉὋὐὒὑὓὙὛὠὢὡὣὨὪὩὫαὰεὲηὴιὶοὸυὺωὼΑᾺΕῈΗῊ᾿῍ϊῒΙῚ῾῝ϋῢΥῪ¨῭ΟῸΩῺ"),
  "769": ("AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźÜǗüǘGǴgǵÅǺåǻÆǼæǽØǾøǿ¨΅ΑΆΕΈΗΉΙΊΟΌΥΎΩΏϊΐαάεέηή"
    + "ιίϋΰοόυύωώϒϓГЃКЌгѓкќÇḈçḉĒḖēḗÏḮïḯKḰkḱMḾmḿÕṌõṍŌṒōṓPṔpṕŨṸũṹWẂwẃÂẤâấĂẮăắÊẾêếÔỐôốƠỚơớƯỨưứἀἄἁἅἈἌἉἍ"
    + "ἐἔἑἕἘἜἙἝἠἤἡἥἨἬἩἭἰἴἱἵἸἼἹἽὀὄὁὅὈὌὉὍὐὔὑὕὙὝὠὤὡὥὨὬὩὭ᾿῎῾῞"),
  "770": "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷZẐzẑẠẬạậẸỆẹệỌỘọộ",
  "771": "AÃNÑOÕaãnñoõIĨiĩUŨuũVṼvṽÂẪâẫĂẴăẵEẼeẽÊỄêễÔỖôỗƠỠơỡƯỮưữYỸyỹ",
  "772": "AĀaāEĒeēIĪiīOŌoōUŪuūÜǕüǖÄǞäǟȦǠȧǡÆǢæǣǪǬǫǭÖȪöȫÕȬõȭȮȰȯȱYȲyȳИӢиӣУӮуӯGḠgḡḶḸḷḹṚṜṛṝαᾱΑᾹιῑΙῙυῡΥῩ",
  "774": "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭУЎИЙийуўЖӁжӂАӐаӑЕӖеӗȨḜȩḝẠẶạặαᾰΑᾸιῐΙῘυῠΥῨ",
  "775": "CĊcċEĖeėGĠgġIİZŻzżAȦaȧOȮoȯBḂbḃDḊdḋFḞfḟHḢhḣMṀmṁNṄnṅPṖpṗRṘrṙSṠsṡŚṤśṥŠṦšṧṢṨṣṩTṪtṫWẆwẇXẊxẋYẎyẏſẛ",
  "776": ("AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸΙΪΥΫιϊυϋϒϔЕЁІЇеёіїАӒаӓӘӚәӛЖӜжӝЗӞзӟИӤиӥОӦоӧӨӪөӫЭӬэӭУӰуӱЧӴчӵЫӸыӹHḦhḧÕṎ"
    + "õṏŪṺūṻWẄwẅXẌxẍtẗ"),
  "777": "AẢaảÂẨâẩĂẲăẳEẺeẻÊỂêểIỈiỉOỎoỏÔỔôổƠỞơởUỦuủƯỬưửYỶyỷ",
  "778": "AÅaåUŮuůwẘyẙ",
  "779": "OŐoőUŰuűУӲуӳ",
  "780": "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔÜǙüǚGǦgǧKǨkǩƷǮʒǯjǰHȞhȟ",
  "783": "AȀaȁEȄeȅIȈiȉOȌoȍRȐrȑUȔuȕѴѶѵѷ",
  "785": "AȂaȃEȆeȇIȊiȋOȎoȏRȒrȓUȖuȗ",
  "787": "αἀΑἈεἐΕἘηἠΗἨιἰΙἸοὀΟὈυὐωὠΩὨρῤ",
  "788": "αἁΑἉεἑΕἙηἡΗἩιἱΙἹοὁΟὉυὑΥὙωὡΩὩρῥΡῬ",
  "795": "OƠoơUƯuư",
  "803": "BḄbḅDḌdḍHḤhḥKḲkḳLḶlḷMṂmṃNṆnṇRṚrṛSṢsṣTṬtṭVṾvṿWẈwẉZẒzẓAẠaạEẸeẹIỊiịOỌoọƠỢơợUỤuụƯỰưựYỴyỵ",
  "804": "UṲuṳ",
  "805": "AḀaḁ",
  "806": "SȘsșTȚtț",
  "807": "CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţEȨeȩDḐdḑHḨhḩ",
  "808": "AĄaąEĘeęIĮiįUŲuųOǪoǫ",
  "813": "DḒdḓEḘeḙLḼlḽNṊnṋTṰtṱUṶuṷ",
  "814": "HḪhḫ",
  "816": "EḚeḛIḬiḭUṴuṵ",
  "817": "BḆbḇDḎdḏKḴkḵLḺlḻNṈnṉRṞrṟTṮtṯZẔzẕhẖ",
  "824": "←↚→↛↔↮⇐⇍⇔⇎⇒⇏∃∄∈∉∋∌∣∤∥∦∼≁≃≄≅≇≈≉=≠≡≢≍≭<≮>≯≤≰≥≱≲≴≳≵≶≸≷≹≺⊀≻⊁⊂⊄⊃⊅⊆⊈⊇⊉⊢⊬⊨⊭⊩⊮⊫⊯≼⋠≽⋡⊑⋢⊒⋣⊲⋪⊳⋫⊴⋬⊵⋭",
  "834": "ἀἆἁἇἈἎἉἏἠἦἡἧἨἮἩἯἰἶἱἷἸἾἹἿὐὖὑὗὙὟὠὦὡὧὨὮὩὯαᾶ¨῁ηῆ᾿῏ιῖϊῗ῾῟υῦϋῧωῶ",
  "837": ("ἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἈᾈἉᾉἊᾊἋᾋἌᾌἍᾍἎᾎἏᾏἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗἨᾘἩᾙἪᾚἫᾛἬᾜἭᾝἮᾞἯᾟὠᾠὡᾡὢᾢὣᾣὤᾤὥᾥὦᾦὧᾧὨᾨὩᾩὪᾪὫᾫὬᾬὭᾭ"
    + "ὮᾮὯᾯὰᾲαᾳάᾴᾶᾷΑᾼὴῂηῃήῄῆῇΗῌὼῲωῳώῴῶῷΩῼ"),
  "12441": ("かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼうゔゝゞカガ"
    + "キギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボウヴワヷヰヸヱヹ"
    + "ヲヺヽヾ"),
  "12442": "はぱひぴふぷへぺほぽハパヒピフプヘペホポ"};

# The number of the letter with the mark, both given as numbers; null if there is none.
def with_mark($letter; $mark):
  (marks[$mark | tostring] // "" | explode) as $pairs
  | first(range(0; $pairs | length; 2) | select($pairs[.] == $letter) | $pairs[. + 1]) // null;

# The text in Unicode's normal form C, as far as the table reaches.
def composed:
  if test("[^\\x00-\\x{2ff}]") | not then . else
    reduce explode[] as $c ([];
      (.[-1] // 0) as $last
      | (if $c >= 768 and $c < 880 or $c == 12441 or $c == 12442 then with_mark($last; $c)
         else null end) as $one
      | if $one then .[-1] = $one
        elif $last >= 4352 and $last <= 4370 and $c >= 4449 and $c <= 4469 then
          .[-1] = 44032 + (($last - 4352) * 21 + $c - 4449) * 28
        elif $last >= 44032 and $last <= 55203 and ($last - 44032) % 28 == 0 and $c > 4519 and $c <= 4546 then
          .[-1] = $last + $c - 4519
        else . + [$c] end)
    | implode
  end;

# The text with plain letters for those of Latin, Greek and Cyrillic with marks: Jörg Åström is Jorg Astrom.
def without_marks:
  if test("[^\\x00-\\x7f]") | not then . else
    (reduce (marks[] | explode) as $pairs ({};
        reduce range(0; $pairs | length; 2) as $i (.; .[$pairs[$i + 1] | tostring] = $pairs[$i]))) as $base
    | def bare: if $base[tostring] then $base[tostring] | bare else . end;
      composed | gsub("ß"; "ss") | gsub("æ"; "ae") | gsub("Æ"; "Ae") | gsub("œ"; "oe") | gsub("ø"; "o")
    | gsub("Ø"; "O") | gsub("ł"; "l") | gsub("Ł"; "L") | gsub("đ"; "d") | gsub("Đ"; "D") | gsub("ı"; "i")
    | explode | map(bare) | implode
  end;

# A name without the differences between systems: normal form, case, blanks, punctuation, invisible
# characters.
def plain: composed | ascii_downcase | gsub("[^\\p{L}\\p{N}]"; "");

def hex: if . < 16 then "0123456789abcdef"[.:. + 1] else (. / 16 | floor | hex) + (. % 16 | hex) end;

# A name as it can be printed: control characters are "?", and invisible ones and those that turn the
# direction of text are escapes (\\u202e).
def visible:
  gsub("[\\x00-\\x1f\\x7f\\x{80}-\\x{9f}]"; "?")
  | gsub("(?<c>[\\x{ad}\\x{34f}\\x{61c}\\x{115f}\\x{1160}\\x{17b4}\\x{17b5}\\x{180b}-\\x{180f}"
      + "\\x{200b}-\\x{200f}\\x{2028}-\\x{202e}\\x{2060}-\\x{206f}\\x{3164}\\x{fe00}-\\x{fe0f}\\x{feff}"
      + "\\x{ffa0}\\x{fff0}-\\x{fffb}\\x{e0000}-\\x{e0fff}])"; "\\u\(.c | explode[0] | hex)");
