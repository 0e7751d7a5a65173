"""Six calls with the clients of openapi-generator. Prints their results as JSON."""

import json
import os

import netpanel_metadata
import netpanel_query
from netpanel_query.models import Household, LocalRange, MetricQuery, RelativeTo, Shares

query = netpanel_query.ApiClient(netpanel_query.Configuration(os.environ["QUERY_URL"], {"token": os.environ["DATA_TOKEN"]}))
metadata = netpanel_metadata.ApiClient(
    netpanel_metadata.Configuration(os.environ["METADATA_URL"], access_token=os.environ["METADATA_TOKEN"])
)
data = netpanel_query.DataApi(query)


def request(chart_type, **fields):
    time = LocalRange.from_dict({"from": os.environ["FROM"], "to": os.environ["TO"]})
    return MetricQuery(metric="httpget", chartType=chart_type, normalised=False, prefilter=False, time=time, **fields)


def points(request):
    return [point for series in data.post_metric_data(request).data for point in series.metric_data]


daily = request("aggregate", aggregation="daily", splits=["isp", "floor"])
report = request(
    "aggregate",
    aggregation="total",
    household=Household(statistic="mean"),
    relativeTo=RelativeTo(field="custom.advertised"),
    shares=Shares(thresholds=[80]),
)
agent = netpanel_metadata.MetadataApi(metadata).get_metadata("agent", "a").data
print(
    json.dumps(
        {
            "daily": [
                [p.additional_properties["isp"], p.additional_properties["floor"], p.metric_value, p.partial]
                for p in points(daily)
            ],
            "raw": [
                [p.agent, p.additional_properties["tier"], p.metric_value]
                for p in points(request("raw", splits=["tier"]))
            ],
            "report": [[p.metric_value, p.shares["80"]] for p in points(report)],
            "values": netpanel_query.ListingsApi(query).get_filter_values("isp").data,
            "exported": netpanel_query.ExportsApi(query).export_metric_data_csv(daily).data.rows,
            "metadata": [agent.timezone, agent.custom["tier"], agent.custom["floor"]],
        }
    )
)
